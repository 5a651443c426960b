import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'

const CORE = "import { close, flush, init, report } from '@bugle/sdk'"
const CRASH = `${CORE}
import { captureException } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'`

/** The maximum size of each import in KiB, minified and compressed. */
const BUDGETS = [
  { name: 'browser core', condition: 'browser', source: CORE, kibibytes: 6.5 },
  { name: 'browser with crashes', condition: 'browser', source: CRASH, kibibytes: 7.5 },
  { name: 'Node with crashes', condition: 'node', source: CRASH, kibibytes: 8.75 },
  { name: 'React Native with crashes', condition: 'react-native', source: CRASH, kibibytes: 6.7 },
]

let built: BuiltPackage
beforeAll(async () => {
  built = await buildPackage()
})
afterAll(() => built[Symbol.dispose]())

test.each(BUDGETS)('$name has at most $kibibytes KiB', async ({ condition, source, kibibytes }) => {
  const size = await measure(source, condition)
  expect(size / 1024).toBeLessThanOrEqual(kibibytes)
  // A budget that is far too high is useless.
  expect(size / 1024).toBeGreaterThan(kibibytes * 0.6)
})

test('the widget adds at most 5 KiB, and each of its parts at most 1.1 KiB', async () => {
  const widget = `${CORE}\nimport { defineWidget } from '@bugle/sdk/widget'`
  const added = (await measure(widget, 'browser')) - (await measure(CORE, 'browser'))
  expect(added / 1024).toBeLessThanOrEqual(5)
  const parts = globSync('dist/bugle-widget-*.mjs', { cwd: built.sdk })
  expect(parts).toHaveLength(7)
  for (const path of parts) expect(sizeOf(path) / 1024).toBeLessThanOrEqual(1.1)
})

test('files add at most 3.25 KiB, and the trail 2.5 KiB more', async () => {
  const files = `${CRASH}\nimport { enableFiles } from '@bugle/sdk/files'`
  const trail = `${files}\nimport { addStep, startTrail } from '@bugle/sdk/trail'`
  const withFiles = await measure(files, 'browser')
  expect((withFiles - (await measure(CRASH, 'browser'))) / 1024).toBeLessThanOrEqual(3.25)
  expect(((await measure(trail, 'browser')) - withFiles) / 1024).toBeLessThanOrEqual(2.5)
})

test('the file for a script tag, with crashes and diagnosis, has at most 8.25 KiB, and 5 more with the widget', () => {
  expect(sizeOf('dist/bugle.js') / 1024).toBeLessThanOrEqual(8.25)
  expect(sizeOf('dist/bugle-widget.js') / 1024).toBeLessThanOrEqual(8.25 + 5)
})

test('importing without using costs nothing', async () => {
  expect(await measure("import '@bugle/sdk'", 'browser')).toBeLessThan(30)
})

async function measure(source: string, condition: string): Promise<number> {
  const exported = [...source.matchAll(/\{ (.*?) \}/g)].map(([, list]) => list).join(', ')
  writeFileSync(join(built.path, 'app.mjs'), `${source}\nexport { ${exported} }\n`)
  await using bundle = await rolldown({
    cwd: built.path,
    input: 'app.mjs',
    platform: 'neutral',
    external: [/^node:/, 'react-native'],
    resolve: { conditionNames: [condition, 'import'] },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
  // The parts that the widget loads on demand are separate chunks. Everything else is in one.
  const names = output.map(({ fileName }) => fileName)
  expect(output[0].imports.filter((name) => names.includes(name))).toEqual([])
  return gzipSync(output[0].code, { level: 9 }).length
}

function sizeOf(path: string): number {
  return gzipSync(readFileSync(join(built.sdk, path)), { level: 9 }).length
}
