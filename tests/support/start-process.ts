import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { User } from '../../packages/server/test-support/unprivileged-user.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** How long a process may take to print what a test waits for. */
const PATIENCE_MS = 200_000

/** How long to wait for output that a leftover child process may still hold open. */
const CLOSE_PATIENCE_MS = 1_000

type Environment = Readonly<Record<string, string | undefined>>

interface ProcessOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly environment: Environment
  /** By default, the root of the repository. */
  readonly cwd?: string
  /** Another user to run it. */
  readonly user?: User | undefined
  /** Gives it a separate process group, so that its child processes can be signalled too. */
  readonly leadsGroup?: boolean
}

/** A real process, stopped at the latest when the scope ends. */
export interface TestProcess extends AsyncDisposable {
  readonly pid: number
  /** Its output so far. */
  readonly stdout: string
  readonly stderr: string
  /** The first match in its standard output; fails if the process ends without one. */
  waitFor(pattern: RegExp, patienceMs?: number): Promise<RegExpExecArray>
  /** Sends the signal to this process only, and waits until it exits. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<Exit>
  /** Settles when it has exited. */
  readonly exit: Promise<Exit>
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

// A test that timed out never leaves its scope: the end of its worker, with SIGTERM, is the last opportunity.
const leftovers = new Set<() => void>()
process.on('exit', () => {
  for (const killNow of leftovers) killNow()
})
process.once('SIGTERM', () => process.exit(1))

export function startProcess({
  command,
  args,
  environment,
  cwd = ROOT,
  user,
  leadsGroup = false,
}: ProcessOptions): TestProcess {
  const child = spawn(command, args, {
    ...user,
    cwd,
    env: environment,
    detached: leadsGroup,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.stderr += chunk))
  const closed = once(child, 'close')
  const exit = once(child, 'exit').then(async ([code, signal]): Promise<Exit> => {
    await Promise.race([closed, sleep(CLOSE_PATIENCE_MS, undefined, { ref: false })])
    return { code, signal }
  })

  function killNow(): void {
    if (child.pid === undefined) return
    if (leadsGroup) killGroup(child.pid)
    else child.kill('SIGKILL')
  }
  leftovers.add(killNow)

  return {
    pid: child.pid ?? Number.NaN,
    get stdout() {
      return printed.stdout
    },
    get stderr() {
      return printed.stderr
    },
    exit,
    async waitFor(pattern, patienceMs = PATIENCE_MS) {
      const deadline = AbortSignal.timeout(patienceMs)
      for (;;) {
        const match = pattern.exec(printed.stdout)
        if (match !== null) return match
        const news = once(child.stdout, 'data', { signal: deadline })
        await Promise.race([news, exit.then(() => Promise.reject(unsaid(pattern, printed)))])
      }
    },
    end(signal) {
      child.kill(signal)
      return exit
    },
    async [Symbol.asyncDispose]() {
      killNow()
      await exit
      leftovers.delete(killNow)
    },
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}

function unsaid(pattern: RegExp, { stdout, stderr }: { stdout: string; stderr: string }): Error {
  return new Error(`the process ended without printing ${pattern}:\n${stdout}${stderr}`)
}

/** The environment of a user's shell: no variables of ours or npm's, and the machine's own Node first. */
export function shellEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !/^(npm_|BUGLE_|NODE_|VITEST)/i.test(name))
  const environment = Object.fromEntries(entries) as Record<string, string>
  const folders = (environment['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  return { ...environment, PATH: folders.join(':') }
}
