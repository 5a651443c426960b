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

/** The maximum size of each part of the widget in KiB. Each of the others is a language. The parts for files, for "My reports" and for suggestions include those of the SDK. */
const PARTS: Readonly<Record<string, number>> = {
  attach: 8.625,
  editor: 8,
  extras: 1.5,
  'my-reports': 11,
  suggestions: 3.25,
}
/** Most of it are the texts of "My reports" and of the parts for files: Japanese needs the most bytes for each character. */
const LANGUAGE = 2.125

test('the widget adds at most 5 KiB, and each of its parts no more than it may', async () => {
  const widget = `${CORE}\nimport { defineWidget } from '@bugle/sdk/widget'`
  const added = (await measure(widget, 'browser')) - (await measure(CORE, 'browser'))
  expect(added / 1024).toBeLessThanOrEqual(5)
  const parts = globSync('dist/bugle-widget-*.mjs', { cwd: built.sdk })
  expect(parts).toHaveLength(11)
  for (const path of parts) {
    const [, name = ''] = /widget-([\w-]+)/.exec(path) ?? []
    expect([name, sizeOf(path) / 1024 <= (PARTS[name] ?? LANGUAGE)]).toEqual([name, true])
  }
})

test('files add at most 3.25 KiB, and the trail 2.5 KiB more', async () => {
  const files = `${CRASH}\nimport { enableFiles } from '@bugle/sdk/files'`
  const trail = `${files}\nimport { addStep, startTrail } from '@bugle/sdk/trail'`
  const withFiles = await measure(files, 'browser')
  expect((withFiles - (await measure(CRASH, 'browser'))) / 1024).toBeLessThanOrEqual(3.25)
  expect(((await measure(trail, 'browser')) - withFiles) / 1024).toBeLessThanOrEqual(2.5)
})

test('conversations add at most 5.25 KiB, and "My reports" in the widget 4.125 KiB more', async () => {
  const conversations = `${CRASH}\nimport { startConversations } from '@bugle/sdk/conversations'`
  const added = (await measure(conversations, 'browser')) - (await measure(CRASH, 'browser'))
  expect(added / 1024).toBeLessThanOrEqual(5.25)
  const view = sizeOf('dist/bugle-widget-my-reports.mjs') - sizeOf('dist/bugle-conversations.mjs')
  // With the states of a list and a conversation that are not loaded yet, and the language of times in a shadow tree.
  expect(view / 1024).toBeLessThanOrEqual(4.125)
  // The whole page, with all that it needs of the core.
  expect(sizeOf('dist/bugle-reports-page.mjs') / 1024).toBeLessThanOrEqual(19)
})

test('searching known issues adds at most 0.75 KiB', async () => {
  const search = `${CRASH}\nimport { searchKnownIssues } from '@bugle/sdk/known-issues'`
  const added = (await measure(search, 'browser')) - (await measure(CRASH, 'browser'))
  expect(added / 1024).toBeLessThanOrEqual(0.75)
})

test('the file for a script tag, with crashes and diagnosis, has at most 8.25 KiB, and 5 more with the widget', () => {
  expect(sizeOf('dist/bugle.js') / 1024).toBeLessThanOrEqual(8.25)
  expect(sizeOf('dist/bugle-widget.js') / 1024).toBeLessThanOrEqual(8.25 + 5)
})

/** The rows of the table in the guide. Each import adds to those before it, except Sentry's. */
const TABLE = [
  { name: '`init`, `report`, `flush`, `close`', source: CORE },
  { name: 'and crashes (`@bugle/sdk/crash`)', source: CRASH },
  {
    name: 'and the widget (`@bugle/sdk/widget`)',
    source: `${CRASH}\nimport { defineWidget } from '@bugle/sdk/widget'`,
  },
  {
    name: 'and files (`@bugle/sdk/files`)',
    source: `${CRASH}\nimport { defineWidget } from '@bugle/sdk/widget'\nimport { enableFiles } from '@bugle/sdk/files'`,
  },
  {
    name: 'and the trail (`@bugle/sdk/trail`)',
    source: `${CRASH}\nimport { defineWidget } from '@bugle/sdk/widget'\nimport { enableFiles } from '@bugle/sdk/files'\nimport { addStep, startTrail } from '@bugle/sdk/trail'`,
  },
  {
    name: 'and conversations (`@bugle/sdk/conversations`)',
    source: `${CRASH}\nimport { defineWidget } from '@bugle/sdk/widget'\nimport { enableFiles } from '@bugle/sdk/files'\nimport { addStep, startTrail } from '@bugle/sdk/trail'\nimport { startConversations } from '@bugle/sdk/conversations'`,
  },
  { name: '`/sdk/bugle.js`, for a script tag', file: 'dist/bugle.js' },
  { name: '`/sdk/bugle-widget.js`, for a script tag', file: 'dist/bugle-widget.js' },
  {
    name: '`@sentry/browser`: `init`, `captureException`, `captureMessage`',
    source: "import { captureException, captureMessage, init } from '@sentry/browser'",
  },
  {
    name: '`@sentry/browser` with its feedback form',
    source: "import { captureException, captureMessage, feedbackIntegration, init } from '@sentry/browser'",
  },
] as const
const GUIDE = join(import.meta.dirname, '../packages/sdk/docs/sizes.md')
const GENERATED = /(<!-- Generated.*?-->\n\n)(.*?)(<!-- End)/s
/** The guide may be this much behind, so that not every change of the SDK changes it too. */
const TOLERANCE_KIB = 0.5

test('the guide has the sizes, with those of Sentry', async () => {
  built.lend('@sentry/browser')
  const sizes: number[] = []
  for (const row of TABLE)
    sizes.push(('file' in row ? sizeOf(row.file) : await measure(row.source, 'browser')) / 1024)
  const guide = readFileSync(GUIDE, 'utf8')
  if (process.env['BUGLE_UPDATE_SIZES']) {
    const rows = TABLE.map(({ name }, index) => `| ${name} | ${sizes[index]?.toFixed(1)} KiB |\n`)
    const table = `| What is imported | Size |\n|---|---|\n${rows.join('')}\n`
    writeFileSync(
      GUIDE,
      guide.replace(GENERATED, (_, start, _old, end) => start + table + end),
    )
    return
  }
  const shown = [...(GENERATED.exec(guide)?.[2] ?? '').matchAll(/^\| (.*) \| ([\d.]+) KiB \|$/gm)]
  expect(shown.map(([, name]) => name)).toEqual(TABLE.map(({ name }) => name))
  for (const [index, [, name, size]] of shown.entries()) {
    const difference = Math.abs(Number(size) - (sizes[index] ?? 0))
    expect({ name, isCurrent: difference <= TOLERANCE_KIB }).toEqual({ name, isCurrent: true })
  }
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
