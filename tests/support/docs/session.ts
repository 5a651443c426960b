import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startProcess, type TestProcess } from '../start-process.ts'
import { type Keys, printedAddress, printedKeys } from '../start-server.ts'
import type { Block } from './blocks.ts'
import type { Clone } from './clone.ts'
import { fillIn } from './fill-in.ts'

/** A timeout for hanging commands: on a busy machine, a compiler may first have to compile its library. */
const PATIENCE_MS = 300_000
const STATE = '.shell-state'
/** Each block continues where the previous one ended, as in one terminal. */
const BEFORE = `set -eu -o pipefail; [ -f ${STATE} ] && . ./${STATE}; set -a\n`
const AFTER = `\nset +a; export -p > ${STATE}\n`

/** The session of a reader: a terminal in a clone, and the server that is started there. */
export interface Session extends AsyncDisposable {
  readonly url: string
  readonly keys: Keys
  /** The output so far. */
  readonly printed: string
  /** The text of a block with the reader's own address, keys and ids. */
  fill(text: string): Promise<string>
  /** Runs a command, and resolves to its output; fails if the command fails, unless it should. */
  run(block: Block): Promise<string>
  /** Starts a background command, and waits until it listens. */
  start(block: Block): Promise<void>
  /** Starts the server implicitly. */
  startServer(): Promise<void>
}

export function openSession(clone: Clone, ports: readonly number[]): Session {
  const running = new AsyncDisposableStack()
  let [url, printed] = ['', '']
  let keys: Keys = { publicKey: '', secretKey: '' }

  async function follow(command: string): Promise<TestProcess> {
    const started = running.use(
      startProcess({
        command: 'bash',
        args: ['-c', BEFORE + command],
        environment: clone.environment,
        cwd: clone.path,
        leadsGroup: true,
      }),
    )
    await started.waitFor(/listening on/, PATIENCE_MS)
    return started
  }

  async function startServer(command: string): Promise<void> {
    const server = await follow(command)
    url = await printedAddress(server)
    if (keys.publicKey === '') keys = await printedKeys(server)
  }

  async function fill(shown: string): Promise<string> {
    return fillIn(shown, { url, keys, printed, ports, folder: clone.path })
  }

  return {
    get url() {
      return url
    },
    get keys() {
      return keys
    },
    get printed() {
      return printed
    },
    fill,
    async run(block) {
      const { code, stdout, stderr } = await runToEnd(clone, commandFor(block, await fill(block.text), clone))
      printed += `${stdout}\n`
      if ((code !== 0) === block.fails) return stdout
      const verdict = block.fails ? 'should have failed' : `ended with ${code}`
      throw new Error(`${block.place}: ${verdict}\n${stdout}${stderr}`)
    },
    async start(block) {
      const command = await fill(block.text)
      if (/npm start|bugle serve/.test(command)) await startServer(command)
      else await follow(command)
    },
    // Not with npx, which takes as long as the server itself.
    startServer: () => startServer('exec node packages/server/bin/bugle.js serve'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export function isOnThisMachine(command: string): boolean {
  return spawnSync('bash', ['-c', `command -v ${command}`]).status === 0
}

const RUNNERS: Readonly<Record<string, { readonly extension: string; readonly command: string }>> = {
  js: { extension: 'mjs', command: process.execPath },
  ts: { extension: 'mts', command: process.execPath },
  python: { extension: 'py', command: 'python3' },
  go: { extension: 'go', command: 'go run' },
}

function commandFor({ language, place }: Block, content: string, clone: Clone): string {
  const runner = RUNNERS[language]
  if (runner === undefined) return BEFORE + content + AFTER
  const file = `snippet-${place.replaceAll(/\W/g, '-')}.${runner.extension}`
  writeFileSync(join(clone.path, file), content)
  return `${BEFORE}${runner.command} ${file}`
}

async function runToEnd({ path, environment }: Clone, script: string) {
  const options = { cwd: path, env: environment, timeout: PATIENCE_MS } as const
  const child = spawn('bash', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: code as number | null, stdout, stderr }
}
