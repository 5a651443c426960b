import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedChromium } from '../browser/chromium.ts'
import { type BuiltPackage, buildPackage } from '../sdk/built-package.ts'
import { readBlocks } from './blocks.ts'
import { findTypeErrors } from './check-types.ts'
import { findDifference } from './compare-answer.ts'
import { runDocument, type Workshop } from './run-document.ts'

/** Faults that must fail the document test. */

let built: BuiltPackage
let workshop: Workshop

beforeAll(async () => {
  built = await buildPackage()
  workshop = { sdk: built.sdk, browser: await sharedChromium() }
})
afterAll(() => {
  built[Symbol.dispose]()
})

const CURL = "curl http://127.0.0.1:4000/v1/issues -H 'Authorization: Bearer bgl_sec_…'"
const SDK = "import { init, report } from '@bugle/sdk'\ninit({ endpoint: 'http://127.0.0.1:4000', publicKey:"

describe.concurrent('a document with a planted fault fails, and names its location:', () => {
  test.each([
    ['a command that does not exist', ['```sh\nnpx bugle no-such-command\n```'], 'ended with'],
    ['an address that does not exist', ['```sh\ncurl http://127.0.0.1:4000/v1/no-such\n```'], 'not-found'],
    ['a fault in the middle of a block', ['```sh\nfalse\ntrue\n```'], 'ended with 1'],
    ['a refusal that is none', [`\`\`\`sh fails\n${CURL}\n\`\`\``], 'should have failed'],
    [
      'another answer',
      [`\`\`\`sh\n${CURL}\n\`\`\``, '```json answer\n{ "rows": [] }\n```'],
      'the answer.rows is shown as a list',
    ],
    ['JSON that is none', ['```json\n{ "a": }\n```'], 'no JSON'],
    ['a program that throws', ['```js\nthrow new Error("planted")\n```'], 'planted'],
    [
      'a report that never arrives',
      [`\`\`\`js\n${SDK} 'bgl_pub_wrong' })\nawait report({ title: 'Lost' })\n\`\`\``],
      'did not arrive',
    ],
    ['a page with an error', ['```html\n<script>planted()</script>\n```'], 'planted is not defined'],
    ['an unknown language', ['```ruby\nputs 1\n```'], 'there is no way to run "ruby"'],
    ['no language', ['```\nwhat\n```'], 'there is no way to run ""'],
    ['an unknown word', ['```sh slowly\ntrue\n```'], '"slowly" says nothing'],
    ['a reason that is missing', ['```sh no-run:\ntrue\n```'], '"no-run:" says nothing'],
  ])('%s', { timeout: 600_000 }, async (_, blocks, complaint) => {
    const running = (async () => runDocument('planted.md', ['# Planted', ...blocks].join('\n'), workshop))()
    const failure = await running.then(
      () => 'nothing failed',
      (error: Error) => error.message,
    )
    expect(failure).toMatch(/^planted\.md:\d+: /)
    expect(failure).toContain(complaint)
  })
})

test('a correct document passes, and skipped blocks are counted with their reason', async () => {
  const document = [
    'Text',
    '   ```sh',
    `   ${CURL}`,
    '   ```',
    '```json answer\n{ "data": [] }\n```',
    '```sh no-run: needs root\nreboot\n```',
  ].join('\n')
  const outcomes = await runDocument('true.md', document, workshop)
  expect(outcomes.map(({ kind, block }) => [kind, block.place])).toEqual([
    ['run', 'true.md:2'],
    ['read', 'true.md:5'],
    ['not run', 'true.md:8'],
  ])
  expect(outcomes[2]?.reason).toBe('needs root')
})

test('a block with a type error is found by its location', () => {
  const blocks = readBlocks('planted.md', '```ts\nconst n: number = "x"\n```')
  expect(findTypeErrors(blocks, built.sdk).join()).toMatch(/planted\.md.*not assignable/)
})

test('a shown response may be partial; ids and times must have the same format; everything else must be equal', () => {
  const answered = {
    id: 'iss_2',
    at: '2026-01-01T00:00:00.000Z',
    n: 1,
    list: [{ a: null, b: 2 }],
    more: true,
  }
  const at = '2025-12-31T23:59:59Z'
  expect(findDifference({ id: 'iss_1', at, n: 1, list: [{ a: null }] }, answered)).toBeUndefined()
  expect(findDifference({ n: 2 }, answered)).toBe('the answer.n is shown as 2 and is 1')
  expect(findDifference({ gone: 1 }, answered)).toContain('missing')
  expect(findDifference({ id: 'key_1' }, answered)).toContain('the answer.id')
  expect(findDifference({ list: {} }, answered)).toContain('an object')
  expect(findDifference({ list: [{ a: 0 }] }, answered)).toContain('the answer.list.0.a')
})
