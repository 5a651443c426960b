import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, describe, expect } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'

const SCRIPTS = ['set-up.mjs', 'build-dashboard.mjs'] as const

/** The versions that set-up must run on: the bundled Node, and the older one of the machine. */
const NODES = [
  { name: 'our Node', node: process.execPath },
  ...(machineNode() === undefined ? [] : [{ name: "the machine's Node", node: machineNode() ?? '' }]),
]
if (NODES.length === 1) process.stdout.write('set-up was not tried on an older Node: none is in the PATH\n')

/** Every test has its own clone, with an npm that only records its arguments. */
const test = base.extend<{ clone: Clone }>({
  clone: async ({ task: _ }, use) => {
    using folder = temporaryFolder()
    await use(createClone(folder.path))
  },
})

describe.each(NODES)('set-up on $name', ({ node }) => {
  test('installs what is missing, with one line of progress, then starts the installed Node', ({ clone }) => {
    const { status, stdout, stderr } = clone.setUp(node, 'start')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(clone.npmCalls()).toEqual([expect.stringMatching(/^ci --ignore-scripts .*--omit=dev$/)])
    const [progress, building, handedOver] = stdout.split('\n')
    expect(progress).toMatch(/^Installing dependencies.* done in \d+ s\.$/)
    expect(building).toMatch(/^Building the dashboard … done in [\d.]+ s\.$/)
    expect(handedOver).toBe(`serve by ${join(clone.path, 'node_modules/.bin/node')}`)
  })

  test('installs and prints nothing if everything is installed', ({ clone }) => {
    clone.setUp(node, 'start')
    const { status, stdout } = clone.setUp(node, 'start')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^serve by \S+\n$/)
    expect(clone.npmCalls()).toHaveLength(1)
  })

  test.for([
    ['test', 'tests ran'],
    ['thorough', 'long tests ran'],
    ['build', 'packages built'],
  ] as const)('installs development dependencies only for development: %s', ([goal, says], { clone }) => {
    clone.setUp(node, 'start')
    const { stdout } = clone.setUp(node, goal)
    expect(stdout).toContain(`${says} by ${join(clone.path, 'node_modules/.bin/node')}`)
    expect(clone.npmCalls()[1]).toMatch(/--include=dev$/)
    clone.setUp(node, 'start')
    expect(clone.npmCalls()).toHaveLength(2)
  })

  test('installs again if the lock file has another version', ({ clone }) => {
    clone.setUp(node, 'start')
    clone.lock({ 'node_modules/needed': { version: '2.0.0' } })
    clone.setUp(node, 'start')
    expect(clone.npmCalls()).toHaveLength(2)
  })

  test('does not start after a failed installation, and shows the output of npm', ({ clone }) => {
    clone.breakNpm('getaddrinfo ENOTFOUND registry')
    const { status, stdout, stderr } = clone.setUp(node, 'start')
    expect(status).toBe(1)
    expect(stdout).not.toContain('serve')
    expect(stderr).toContain('bugle: npm could not install the dependencies.')
    expect(stderr).toContain('getaddrinfo ENOTFOUND registry')
  })

  test('builds the dashboard when its sources have changed, and only then', ({ clone }) => {
    clone.setUp(node, 'start')
    clone.setUp(node, 'start')
    clone.write('packages/dashboard/src/main.test.ts', 'another test')
    clone.setUp(node, 'test')
    clone.setUp(node, 'start')
    expect(clone.builds()).toBe(1)
    clone.write('packages/dashboard/src/main.tsx', 'another page')
    const { stdout } = clone.setUp(node, 'start')
    expect(stdout).toMatch(/^Building the dashboard … done in [\d.]+ s\.\nserve by \S+\n$/)
    expect(clone.builds()).toBe(2)
    expect(readFileSync(join(clone.path, 'packages/dashboard/dist/index.html'), 'utf8')).toBe('build 2')
  })

  test('starts without a dashboard that cannot be built, explains why, and retries the next time', ({
    clone,
  }) => {
    clone.write('node_modules/vite/bin/vite.js', "console.error('main.tsx is broken'); process.exit(1)")
    for (const _ of [1, 2]) {
      const { status, stdout, stderr } = clone.setUp(node, 'start')
      expect(status).toBe(0)
      expect(stdout).toContain('Building the dashboard … failed.\nserve by')
      expect(stderr).toContain('bugle: the dashboard could not be built.\nmain.tsx is broken')
    }
  })

  test('forwards signals and the exit code', async ({ clone }) => {
    clone.write('packages/server/bin/bugle.js', WAITS_FOR_SIGTERM)
    clone.setUp(node, 'test')
    clone.build()
    const child = spawn(node, [clone.script, 'start'], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([7, null])
  })

  test('accepts only known goals', ({ clone }) => {
    const { status, stderr } = clone.setUp(node, 'nonsense')
    expect(status).toBe(1)
    expect(stderr).toBe('bugle: set-up knows start, test, thorough, build, not "nonsense"\n')
    expect(clone.npmCalls()).toEqual([])
  })
})

// A Node that execs the other leaves no process to watch; the server watches by itself.
describe.each(NODES.filter(({ node }) => !canTurnIntoAnother(node)))(
  'set-up on $name, as the parent of its process',
  ({ node }) => {
    test('stops it when npm has exited', { timeout: 200_000 }, async ({ clone }) => {
      clone.write('packages/server/bin/bugle.js', WAITS_FOR_SIGTERM)
      clone.setUp(node, 'test')
      clone.build()
      const npm = spawn('sh', ['-c', `'${node}' '${clone.script}' start; exit`], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, npm_lifecycle_event: 'start' },
      })
      await once(npm.stdout, 'data')
      npm.kill('SIGKILL')
      // The pipe is closed when the last process that has it exits.
      await once(npm, 'close')
    })
  },
)

function canTurnIntoAnother(node: string): boolean {
  const { stdout } = spawnSync(node, ['-p', 'typeof process.execve'], { encoding: 'utf8' })
  return stdout.trim() === 'function'
}

interface Clone {
  readonly path: string
  readonly script: string
  setUp(node: string, goal: string): { status: number | null; stdout: string; stderr: string }
  /** The arguments of every call of npm. */
  npmCalls(): readonly string[]
  /** How often the dashboard was built. */
  builds(): number
  build(): void
  lock(packages: Readonly<Record<string, object>>): void
  breakNpm(complaint: string): void
  write(path: string, source: string): void
}

const SERVES = "console.log(process.argv[2], 'by', process.argv0)"
const WAITS_FOR_SIGTERM =
  "process.on('SIGTERM', () => process.exit(7)); setTimeout(() => {}, 600_000); console.log('up')"

/** Records its arguments, then installs by copying the lock file, without what `--omit=dev` omits. */
const NPM = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const args = process.argv.slice(2).join(' ')
appendFileSync('npm-calls', args + '\\n')
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const wanted = Object.entries(packages).filter(([, entry]) => !args.includes('--omit=dev') || !entry.dev)
for (const [path] of wanted) mkdirSync(path, { recursive: true })
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(wanted) }))
`

/** Builds a page that contains the number of builds. */
const VITE = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
appendFileSync('../../builds', '.')
const folder = process.argv[process.argv.indexOf('--outDir') + 1]
writeFileSync(folder + '/index.html', 'build ' + readFileSync('../../builds', 'utf8').length)
`

/** The sources of the page. */
const PAGE_SOURCES = [
  'packages/dashboard/src/main.tsx',
  'packages/dashboard/build/plugin.ts',
  'packages/dashboard/index.html',
  'packages/dashboard/vite.config.ts',
  'packages/contract/src/index.ts',
  'packages/client/src/index.ts',
  'packages/sdk/src/browser.ts',
  'packages/sdk/scripts/build.ts',
  'packages/sdk/package.json',
]

function createClone(path: string): Clone {
  const script = join(path, 'scripts/set-up.mjs')
  const npm = join(path, 'npm.mjs')

  function write(name: string, source: string): void {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), source)
  }

  function lock(packages: Readonly<Record<string, object>>): void {
    write('package-lock.json', JSON.stringify({ packages }))
  }

  write('package.json', '{ "type": "module" }')
  write('packages/server/bin/bugle.js', SERVES)
  write('scripts/test-thorough.ts', "console.log('long tests ran by', process.argv0)")
  write('scripts/test.ts', "console.log('tests ran by', process.argv0)")
  write('scripts/build.ts', "console.log('packages built by', process.argv0)")
  write('npm.mjs', NPM)
  write('node_modules/vite/bin/vite.js', VITE)
  write('scripts/build/served-sdk.ts', "import { mkdirSync } from 'node:fs'\nmkdirSync(process.argv[2])")
  for (const source of PAGE_SOURCES) write(source, source)
  lock({
    'node_modules/needed': { version: '1.0.0' },
    'node_modules/for-tests': { version: '1.0.0', dev: true },
    'node_modules/other-platform': { version: '1.0.0', optional: true },
  })
  for (const name of SCRIPTS)
    cpSync(fileURLToPath(new URL(name, import.meta.url)), join(path, 'scripts', name))
  mkdirSync(join(path, 'node_modules/.bin'), { recursive: true })
  symlinkSync(process.execPath, join(path, 'node_modules/.bin/node'))

  return {
    path,
    script,
    write,
    lock,
    setUp: (node, goal) =>
      spawnSync(node, [script, goal], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], npm_execpath: npm },
      }),
    npmCalls() {
      const calls = join(path, 'npm-calls')
      return existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : []
    },
    builds() {
      const builds = join(path, 'builds')
      return existsSync(builds) ? readFileSync(builds, 'utf8').length : 0
    },
    build() {
      spawnSync(process.execPath, [join(path, 'scripts/build-dashboard.mjs')])
    },
    breakNpm: (complaint) => write('npm.mjs', `console.error('${complaint}'); process.exit(1)`),
  }
}

/** The machine's own Node. */
function machineNode(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  return folders.map((folder) => join(folder, 'node')).find(existsSync)
}
