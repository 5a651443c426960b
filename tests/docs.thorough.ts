import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedChromium } from './support/browser/chromium.ts'
import { readBlocks } from './support/docs/blocks.ts'
import { findTypeErrors } from './support/docs/check-types.ts'
import { type Outcome, runDocument, type Workshop } from './support/docs/run-document.ts'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'
import { ROOT } from './support/start-process.ts'

/** Every command and snippet in a document is run, or has a reason why not. */

const DOCUMENTS = [
  'README.md',
  ...globSync('docs/*.md', { cwd: ROOT }).sort(),
  ...globSync('packages/*/README.md', { cwd: ROOT }).sort(),
  ...globSync('packages/sdk/docs/*.md', { cwd: ROOT }).sort(),
]

let built: BuiltPackage
let browser: Browser
let workshop: Workshop
const outcomes: Outcome[] = []

beforeAll(async () => {
  built = await buildPackage()
  // A page may use React: then the SDK resolves it from its own folder.
  built.lend('@types/react')
  browser = await sharedChromium()
  workshop = { sdk: built.sdk, browser }
})
afterAll(() => {
  built[Symbol.dispose]()
  tell(outcomes)
})

describe.concurrent('every block runs in', () => {
  test.each(DOCUMENTS)('%s', { timeout: 600_000 }, async (path) => {
    outcomes.push(...(await runDocument(path, read(path), workshop)))
  })
})

test('every block of TypeScript and JavaScript type-checks', () => {
  const blocks = DOCUMENTS.flatMap((path) => readBlocks(path, read(path)))
  expect(findTypeErrors(blocks, built.sdk)).toEqual([])
})

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function tell(all: readonly Outcome[]): void {
  const count = (kind: Outcome['kind']) => all.filter((outcome) => outcome.kind === kind).length
  process.stdout.write(
    `documents: ${count('run')} blocks run, ${count('read')} read as data, ${count('not run')} not run, ${count('picture')} pictures\n`,
  )
  for (const { block, kind, reason } of all)
    if (kind === 'not run') process.stdout.write(`  ${block.place}: ${reason}\n`)
}
