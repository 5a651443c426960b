import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test as base, expect } from 'vitest'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { ROOT } from './run-vitest.ts'

/** A project with planted tests, and what the runner makes of it. */
interface Planted {
  readonly root: string
  /** Adds a test file; its tests know `round()`: how often the file was run, from 1. */
  add(path: string, code: string): void
  run(): Promise<Result>
}

interface Result {
  readonly code: number | null
  readonly output: string
  /** The list of unstable files. */
  readonly unstable: string | undefined
}

const test = base.extend<{ planted: Planted }>({
  planted: async ({ task: _ }, use) => {
    using folder = temporaryFolder()
    const { path: root } = folder
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    write(root, 'vitest.config.mjs', CONFIG)
    write(root, 'run.ts', RUN)
    await use({
      root,
      add: (path, code) => write(root, path, `${PRELUDE}${code}`),
      run: async () => {
        const { code, output } = await runIn(root)
        const list = join(root, 'dist/unstable.txt')
        return { code, output, unstable: existsSync(list) ? readFileSync(list, 'utf8') : undefined }
      },
    })
  },
})

const CONFIG = `
  import { defineConfig } from 'vitest/config'
  const planted = { pool: 'forks', isolate: false, include: ['tests/**/*.test.ts'], testTimeout: 30_000 }
  const setupFiles = ${JSON.stringify(join(ROOT, 'tests/support/browser/keep-evidence.ts'))}
  export default defineConfig({ test: { maxWorkers: 2, projects: [{ test: { ...planted, setupFiles, name: 'planted' } }] } })`
const RUN = `
  import { printTally } from ${JSON.stringify(join(ROOT, 'scripts/testing/print-tally.ts'))}
  import { runTests } from ${JSON.stringify(join(ROOT, 'scripts/testing/run-tests.ts'))}
  printTally([await runTests({ root: import.meta.dirname, config: 'vitest.config.mjs', results: 'dist' }, [])])`
const PRELUDE = `
  import { readFileSync, writeFileSync } from 'node:fs'
  import { beforeAll, expect, test } from 'vitest'
  const counter = import.meta.filename + '.rounds'
  let rounds
  try { rounds = Number(readFileSync(counter, 'utf8')) } catch { rounds = 0 }
  writeFileSync(counter, String(rounds + 1))
  const round = () => rounds + 1
`
const PAGE = `
  import { sharedChromium } from ${JSON.stringify(join(ROOT, 'tests/support/browser/chromium.ts'))}
  async function open() {
    const page = await (await sharedChromium()).newPage()
    await page.setContent('<title>Planted</title><h1>Planted page</h1><script>console.info("planted line")</script>')
    return page
  }
`
/** Each fails in the first round, in one of the ways that are forgiven. */
const LATE_ONCE = [
  `test('ends', { timeout: round() === 1 ? 50 : 5_000 }, () => new Promise((done) => setTimeout(done, 500)))`,
  `test('arrives', () => expect.poll(() => round(), { timeout: 100 }).toBeGreaterThan(1))`,
  `beforeAll(() => new Promise((done) => setTimeout(done, round() === 1 ? 500 : 0)), 50)
  test('has a stage', () => undefined)`,
] as const

test('a browser test that fails every second time is unstable, and the run is green', async ({ planted }) => {
  planted.add(
    'tests/page.test.ts',
    `${PAGE}
    test('shows its title', async () => {
      const page = await open()
      expect(await page.title()).toBe(round() % 2 ? 'Another' : 'Planted')
    })`,
  )
  planted.add('tests/plain.test.ts', `test('adds', () => expect(1 + 1).toBe(2))`)
  const { code, output, unstable = '' } = await planted.run()
  expect(output).toMatch(/\n2 passed, 0 failed\n$/)
  expect(code).toBe(0)
  expect(output).toContain(unstable)
  expect(unstable).toMatch(
    /^tests\/page\.test\.ts \(planted\)\n {2}shows its title\n {2}AssertionError: expected /m,
  )
  const shown = (kind: string) =>
    join(planted.root, new RegExp(`^ {2}see (dist/page.*-1\\.${kind})$`, 'm').exec(unstable)?.[1] ?? '')
  expect(readFileSync(shown('txt'), 'utf8')).toContain('info: planted line')
  expect(readFileSync(shown('png')).subarray(1, 4).toString()).toBe('PNG')
})

test('a test that finds an error of its page at the end leaves what the page logged', async ({ planted }) => {
  planted.add(
    'tests/page.test.ts',
    `${PAGE}
    const guarded = test.extend('page', async ({}, { onCleanup }) => {
      const page = await open()
      onCleanup(async () => {
        await page.close()
        expect(round()).toBe(2)
      })
      return page
    })
    guarded('shows its title', async ({ page }) => expect(await page.title()).toBe('Planted'))`,
  )
  planted.add('tests/value.test.ts', `test('adds', () => expect(1 + 1).toBe(2))`)
  const { code, unstable = '' } = await planted.run()
  expect(code).toBe(0)
  const [, path = ''] = /^ {2}see (dist\/page.*-1\.txt)$/m.exec(unstable) ?? []
  expect(readFileSync(join(planted.root, path), 'utf8')).toContain('info: planted line')
})

test('a test that does not run the second time is a failure', async ({ planted }) => {
  planted.add(
    'tests/skipped.test.ts',
    `test('stays', () => undefined)
    test.skipIf(round() === 2)('ends', { timeout: 50 }, () => new Promise((done) => setTimeout(done, 500)))`,
  )
  const { code, output } = await planted.run()
  expect(output).toMatch(
    /tests\/skipped\.test\.ts: ends: did not run the second time\n\n1 passed, 1 failed\n$/,
  )
  expect(code).toBe(1)
})

test('a browser test that always fails is a failure', async ({ planted }) => {
  planted.add(
    'tests/page.test.ts',
    `${PAGE}
    test('has a button', async () => (await open()).click('button', { timeout: 200 }))`,
  )
  const { code, output, unstable } = await planted.run()
  expect(output).toMatch(
    /tests\/page\.test\.ts: has a button: failed again when run alone\n.*: see dist\/page.*-1\.png\n.*-1\.txt\n\n0 passed, 1 failed\n$/,
  )
  expect(code).toBe(1)
  expect(unstable).toBeUndefined()
})

test('a wrong value that comes every second time is a failure at once', async ({ planted }) => {
  planted.add('tests/value.test.ts', `test('counts', () => expect(round() % 2).toBe(0))`)
  const { code, output } = await planted.run()
  expect(output).toMatch(/Failed:\n {2}tests\/value\.test\.ts: counts\n\n0 passed, 1 failed\n$/)
  expect(output).not.toContain('Rerunning')
  expect(code).toBe(1)
})

test('a crashed worker is a failure at once', async ({ planted }) => {
  planted.add('tests/late.test.ts', LATE_ONCE[0])
  planted.add('tests/crash.test.ts', `test('crashes', () => process.kill(process.pid, 'SIGKILL'))`)
  const { code, output } = await planted.run()
  expect(output).toMatch(/Failed:\n {2}\w*Error outside of any test: /)
  expect(output).not.toContain('Rerunning')
  expect(code).toBe(1)
})

test('an error outside of any test, and a file that does not load, are failures', async ({ planted }) => {
  planted.add('tests/broken.test.ts', `throw new Error('does not load')`)
  planted.add(
    'tests/outside.test.ts',
    `test('leaves a promise', () => void setTimeout(() => { throw new Error('outside') }))
    test('waits', () => new Promise((done) => setTimeout(done, 200)))`,
  )
  const { code, output } = await planted.run()
  expect(output).toMatch(/ {2}Error outside of any test: outside\n/)
  expect(output).toMatch(/ {2}tests\/broken\.test\.ts: /)
  expect(code).toBe(1)
})

test('three files may be late, a fourth is a failure', async ({ planted }) => {
  for (const [index, code] of LATE_ONCE.entries()) planted.add(`tests/late${index}.test.ts`, code)
  const three = await planted.run()
  expect(three.output).toMatch(/\n3 passed, 0 failed\n$/)
  expect(three.unstable?.match(/^tests\/late[012]\.test\.ts /gm)).toHaveLength(3)
  expect(three.code).toBe(0)

  for (const name of ['a', 'b', 'c', 'd']) planted.add(`tests/${name}.test.ts`, LATE_ONCE[0])
  const four = await planted.run()
  expect(four.output).toMatch(/ {2}4 files timed out or failed in a browser; .*\n\n3 passed, 4 failed\n$/)
  expect(four.unstable).toBeUndefined()
  expect(four.code).toBe(1)
})

test('a run that is killed is a failure', async ({ planted }) => {
  planted.add('tests/kill.test.ts', `test('kills', () => process.kill(process.ppid, 'SIGKILL'))`)
  const { code, output } = await planted.run()
  expect(output).toMatch(/Failed:\n {2}Vitest ended with exit code 137\.\n\n0 passed, 1 failed\n$/)
  expect(code).toBe(1)
})

async function runIn(root: string): Promise<{ readonly code: number | null; readonly output: string }> {
  // The outer Vitest must not configure the inner one.
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|BUGLE_TEST_(OUTCOME|RESULTS)$|NODE_ENV$|TEST$)/.test(name),
  )
  const child = spawn(process.execPath, [join(root, 'run.ts')], {
    cwd: root,
    env: { ...Object.fromEntries(entries), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code: child.exitCode, output }
}

function write(root: string, path: string, content: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), content)
}
