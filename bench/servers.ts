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
/** The command in a checkout. */
export const COMMAND_SOURCE = 'packages/server/bin/bugle.js'
const ADDRESS = /listening on (http:\S+)\n/
const KEPT_LOG_CHARS = 4_000
/** A server is quiet when it uses less than this share of a core, a few times in a row: once is not enough, because on a busy machine it may just have been waiting. */
const QUIET_SHARE = 0.05
const QUIET_TIMES = 3
const QUIET_CHECK_MS = 100
const MAX_QUIET_CHECKS = 600

/** The resource usage of a process, including all its threads. */
export interface Usage {
  readonly cpuMicros: number
  readonly memoryBytes: number
  /** The longest delay of the event loop since the last call. */
  readonly longestStallMs: number
  /** The highest CPU time of one turn of the event loop since the last call: a stall as it would be on an idle machine. */
  readonly longestTurnCpuMs: number
}

/** A server in a separate process. */
export interface BenchServer extends AsyncDisposable {
  readonly url: string
  usage(): Promise<Usage>
  /** Its usage once it is idle, including work that was deferred until after the responses. */
  settledUsage(): Promise<Usage>
}

export interface FloorServer extends BenchServer {
  /** Sets the responses from now on, in turn. */
  answerWith(answers: readonly Answer[]): void
}

/** Compiles Bugle as it is published, for {@link startBugle}. */
export async function buildBugle(): Promise<void> {
  await buildServer(BUILT)
}

/** Bugle as users start it, except for the rate limits. */
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

/** Bugle from the sources of a checkout, so that one of another commit need not be built. */
export async function startCheckout(folder: string, databaseUrl: string): Promise<BenchServer> {
  return startServer([join(folder, COMMAND_SOURCE), 'serve'], {
    BUGLE_DATABASE_URL: databaseUrl,
    BUGLE_PORT: '0',
    BUGLE_RATE_LIMITS: 'off',
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
  // The measuring process may end early, and must not leave a server behind.
  const abandon = () => child.kill('SIGKILL')
  process.once('exit', abandon)
  exit.then(() => process.off('exit', abandon))
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

/** Servers print their address; one that exits before has printed the reason. */
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
