import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'

const CORE = "import { close, flush, init, report } from '@bugle/sdk'"
const CRASH = `${CORE}
import { captureException } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'`

/** What an app pays for what it imports: KiB at most, minified and compressed. */
const BUDGETS = [
  { name: 'browser core', condition: 'browser', source: CORE, kibibytes: 6.5 },
  { name: 'browser with crashes', condition: 'browser', source: CRASH, kibibytes: 8.7 },
  { name: 'Node with crashes', condition: 'node', source: CRASH, kibibytes: 9.91 },
  { name: 'React Native with crashes', condition: 'react-native', source: CRASH, kibibytes: 7.87 },
]

let built: BuiltPackage
beforeAll(async () => {
  built = await buildPackage()
})
afterAll(() => built[Symbol.dispose]())

test.each(BUDGETS)('$name takes at most $kibibytes KiB', async ({ condition, source, kibibytes }) => {
  const size = await measure(source, condition)
  expect(size / 1024).toBeLessThanOrEqual(kibibytes)
  // A budget that is far too high guards nothing.
  expect(size / 1024).toBeGreaterThan(kibibytes * 0.6)
})

test('the widget adds at most 3.5 KiB', async () => {
  const widget = `${CORE}\nimport { defineWidget } from '@bugle/sdk/widget'`
  const added = (await measure(widget, 'browser')) - (await measure(CORE, 'browser'))
  expect(added / 1024).toBeLessThanOrEqual(3.5)
})

test('the file for a script tag, with crashes and diagnosis, takes at most 9.05 KiB', () => {
  const size = gzipSync(readFileSync(join(built.sdk, 'dist/bugle.js')), { level: 9 }).length
  expect(size / 1024).toBeLessThanOrEqual(9.05)
})

test('importing without using costs nothing', async () => {
  expect(await measure("import '@bugle/sdk'", 'browser')).toBeLessThan(30)
})

async function measure(source: string, condition: string): Promise<number> {
  const names = [...source.matchAll(/\{ (.*?) \}/g)].map(([, list]) => list).join(', ')
  writeFileSync(join(built.path, 'app.mjs'), `${source}\nexport { ${names} }\n`)
  await using bundle = await rolldown({
    cwd: built.path,
    input: 'app.mjs',
    platform: 'neutral',
    external: [/^node:/, 'react-native'],
    resolve: { conditionNames: [condition, 'import'] },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
  expect(output).toHaveLength(1)
  return gzipSync(output[0].code, { level: 9 }).length
}
