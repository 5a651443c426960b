import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildServer, COMMAND } from '../scripts/build/server-package.ts'
import type { Answer } from './floor-server.ts'

const BUILT = pathOf('../dist/bench')
const FLOOR = pathOf('./floor-server.ts')
const ANSWER_USAGE = pathOf('./answer-usage.mjs')
const ADDRESS = /listening on (http:\S+)\n/
const KEPT_LOG_CHARS = 4_000
/** A server is quiet when it uses less than this share of a core, a few times in a row: on a busy machine it may just have had to wait once. */
const QUIET_SHARE = 0.05
const QUIET_TIMES = 3
const QUIET_CHECK_MS = 100
const MAX_QUIET_CHECKS = 600

/** What a process has used, all its threads included. */
export interface Usage {
  readonly cpuMicros: number
  readonly memoryBytes: number
  /** The longest time that the event loop stood still since the last question. */
  readonly longestStallMs: number
  /** The most that one turn of the event loop has computed since the last question: a stall as it would be on an idle machine. */
  readonly longestTurnCpuMs: number
}

/** A server in a process of its own. */
export interface BenchServer extends AsyncDisposable {
  readonly url: string
  usage(): Promise<Usage>
  /** What it has used once it is done with everything, also what it put off until after the answers. */
  settledUsage(): Promise<Usage>
}

export interface FloorServer extends BenchServer {
  /** What it answers from now on, in turn. */
  answerWith(answers: readonly Answer[]): void
}

/** Compiles Bugle as it is published: {@link startBugle} starts that. */
export async function buildBugle(): Promise<void> {
  await buildServer(BUILT)
}

/** Bugle as users start it, but for the rate limits. */
export async function startBugle(
  databaseUrl: string,
  arguments_: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  return startServer([...arguments_, join(BUILT, COMMAND), 'serve'], {
    BUGLE_DATABASE_URL: databaseUrl,
    BUGLE_PORT: '0',
    BUGLE_RATE_LIMITS: 'off',
    ...settings,
  })
}

export async function startFloor(): Promise<FloorServer> {
  const { child, ...server } = await startServer([FLOOR], {})
  return { ...server, answerWith: (answers) => void child.send(answers) }
}

async function startServer(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<BenchServer & { readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ['--import', ANSWER_USAGE, ...args], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const exit = once(child, 'exit')
  const url = await addressOf(child)

  async function usage(): Promise<Usage> {
    const answer = once(child, 'message')
    child.send('usage')
    const [message] = await Promise.race([
      answer,
      exit.then(() => Promise.reject(new Error(`${args} has ended`))),
    ])
    return message as Usage
  }

  return {
    child,
    url,
    usage,
    async settledUsage() {
      let before = await usage()
      let quietTimes = 0
      for (let check = 0; check < MAX_QUIET_CHECKS; check++) {
        await sleep(QUIET_CHECK_MS)
        const after = await usage()
        const isQuiet = after.cpuMicros - before.cpuMicros < QUIET_SHARE * QUIET_CHECK_MS * 1_000
        quietTimes = isQuiet ? quietTimes + 1 : 0
        if (quietTimes === QUIET_TIMES) return after
        before = after
      }
      throw new Error('the server does not come to rest')
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exit
    },
  }
}

/** Servers say where they listen; one that ends before has said why. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output = (output + chunk).slice(-KEPT_LOG_CHARS)
      const url = ADDRESS.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the server ended: ${output}`)))
  })
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
