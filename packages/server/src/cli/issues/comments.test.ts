import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declare } from '../../../test-support/attachment-stage.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp, type TestApp } from '../../../test-support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function setUp() {
  const { publicKey: key, secretKey } = await app.addProject()
  await app.send('POST', '/v1/issues', { key, body: { title: 'Blank' } })
  const settings = { BUGLE_URL: app.url, BUGLE_KEY: secretKey }
  return {
    secretKey,
    bugle: (...args: string[]) => runBugle(['issues', ...args], settings),
    typing: (input: string, ...args: string[]) =>
      runBugle(['issues', ...args], settings, Readable.from([Buffer.from(input)])),
  }
}

test('a comment is added by number, and shown with its author and time', async () => {
  const { bugle } = await setUp()
  expect((await bugle('comments', '1')).stdout).toBe('The issue has no comments.\n')
  expect(await bugle('comment', '1', 'Looking into it')).toMatchObject({
    code: 0,
    stdout: 'Commented on 1.\n',
  })
  const { stdout } = await bugle('comments', '1')
  expect(stdout).toMatch(/^key_\w+ {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC\nLooking into it\n$/)
  expect((await bugle('show', '1')).stdout).toMatch(/comment created, by key .*\n {4}Looking into it$/m)
})

test('the text can come from standard input, and the id makes a retry safe', async () => {
  const { bugle, typing } = await setUp()
  for (const _ of [1, 2]) {
    const { code } = await typing('Line one\nLine two\n', 'comment', '1', '-', '--comment-id', 'once')
    expect(code).toBe(0)
  }
  expect(JSON.parse((await bugle('comments', '1', '--json')).stdout)).toMatchObject([
    { id: 'once', text: 'Line one\nLine two' },
  ])
  expect(await typing(' \n', 'comment', '1', '-')).toMatchObject({ code: 2 })
  expect(await typing('x'.repeat(300_000), 'comment', '1', '-')).toMatchObject({ code: 2 })
})

test('the names of the files of a comment are shown', async () => {
  const { bugle, secretKey: key } = await setUp()
  const { data } = (await app.send('GET', '/v1/issues', { key })).body
  const comments = `/v1/issues/${data[0].id}/comments`
  const attachments = [declare('a log', 'server\u001b[31m.log'), declare('later', 'later.txt')]
  await app.send('POST', comments, { key, body: { commentId: 'a', text: 'See', attachments } })
  const [log] = attachments
  await app.send('PUT', `${comments}/a/attachments/${log?.sha256}`, { key, body: 'a log' })
  const { stdout } = await bugle('comments', '1')
  expect(stdout).toMatch(
    /\nSee\nFile: server\[31m\.log \(att_\w+\)\nFile: later\.txt \(not received yet\)\n$/,
  )
})

test('a hostile text cannot control the terminal', async () => {
  const { bugle } = await setUp()
  await bugle('comment', '1', 'a\u001b[31mred\u001b]0;title\u0007 \u202egpj.exe\rover')
  for (const command of ['comments', 'show']) {
    const { stdout } = await bugle(command, '1')
    expect(stdout).toContain('\\u{1b}[31mred')
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  }
})
