import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { main } from '../src/cli/main.ts'

const BUGLE = fileURLToPath(new URL('../bin/bugle.js', import.meta.url))

/** Shared by test processes, not a setting: it makes a start a third faster (`scripts/testing/cache-test-code.ts`). */
const CODE_CACHE = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs the command in this process, with only these settings. For everything that does not need a separate
 * process, because starting one takes longer than most commands. That the binary runs each command is tested in `cli/commands.thorough.ts`.
 */
export async function runBugle(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  stdin?: Readable,
): Promise<Outcome> {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const environment = { PATH: process.env['PATH'], ...settings }
  const ended = main(args, environment, { stdout, stderr, ...(stdin && { stdin }) }).finally(() => {
    stdout.end()
    stderr.end()
  })
  const [code, printed, complaints] = await Promise.all([ended, text(stdout), text(stderr)])
  return { code, stdout: printed, stderr: complaints }
}

/** Runs the real binary in a separate process, with only these settings. */
export async function spawnBugle(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const child = startBugle(args, settings)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

/** Starts a command that does not end by itself. */
export function startBugle(args: readonly string[], settings: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'], ...CODE_CACHE, ...settings }
  return spawn(process.execPath, [BUGLE, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}
