import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const BUGLE = fileURLToPath(new URL('../bin/bugle.js', import.meta.url))

/** Node has no pseudo-terminals; util-linux has a program that creates one. */
export const hasPseudoTerminals: boolean = spawnSync('script', ['--version']).status === 0

interface TerminalOptions {
  readonly columns: number
  readonly settings: Readonly<Record<string, string>>
}

/** The output of the command on a terminal of this width, including standard error. */
export async function showOnTerminal(args: readonly string[], options: TerminalOptions): Promise<string> {
  const child = startOnTerminal(args, options)
  const [shown] = await Promise.all([text(child.stdout), once(child, 'close')])
  return shown.replaceAll('\r\n', '\n')
}

/** Starts a command that does not end by itself. Text written to its standard input is typed. */
export function startOnTerminal(args: readonly string[], { columns, settings }: TerminalOptions) {
  const line = ['exec', process.execPath, BUGLE, ...args].map(quoted).join(' ')
  const command = `stty cols ${columns}; ${line.replace(/^'exec'/, 'exec')}`
  const env = { PATH: process.env['PATH'], SHELL: '/bin/sh', TERM: 'xterm-256color', ...settings }
  return spawn('script', ['-q', '-e', '-f', '-c', command, '/dev/null'], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
