import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReporter } from '../../../test-support/reporters.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp, type TestApp } from '../../../test-support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function setUp() {
  const project = await app.addProject()
  const [ada, bob] = [createReporter(app, project), createReporter(app, project)]
  const first = await ada.submit({ fingerprint: 'same' })
  const second = await bob.submit({ fingerprint: 'same' })
  const settings = { BUGLE_URL: app.url, BUGLE_KEY: project.secretKey }
  return {
    ...{ ada, bob, adaReport: first.reportId, bobReport: second.reportId },
    bugle: (...args: string[]) => runBugle(['issues', ...args], settings),
  }
}

test('a reply reaches all reporters, or one; the conversation shows both sides', async () => {
  const { ada, bob, adaReport, bobReport, bugle } = await setUp()
  expect((await bugle('conversation', '1')).stdout).toBe('There are no replies and no messages.\n')
  await bugle('comment', '1', 'For the team')
  expect(await bugle('reply', '1', 'To all', '--comment-id', 'all')).toMatchObject({
    code: 0,
    stdout: 'Replied to all reporters of issue 1.\n',
  })
  await bugle('reply', '1', 'To all', '--comment-id', 'all')
  expect((await bugle('reply', '1', 'To Bob', '--report', '2')).stdout).toBe(
    'Replied to the reporter of report 2 of issue 1.\n',
  )
  await ada.write(adaReport, 'From Ada\u001b[31m')
  expect(await ada.messages(adaReport)).toEqual([
    ['team', 'To all'],
    ['reporter', 'From Ada\u001b[31m'],
  ])
  expect(await bob.messages(bobReport)).toEqual([
    ['team', 'To all'],
    ['team', 'To Bob'],
  ])
  const { stdout } = await bugle('conversation', '1')
  expect(stdout).toMatch(
    /^key_\w+ to all reporters .*\nTo all\n\nkey_\w+ to the reporter of report 2 .*\nTo Bob\n\nThe reporter of report 1 .*\nFrom Ada/,
  )
  expect(stdout).not.toMatch(/\u001b|For the team/)
  for (const report of ['1', adaReport]) {
    const shown = JSON.parse((await bugle('conversation', '1', '--report', report, '--json')).stdout)
    expect(shown.map(({ text }: { text: string }) => text)).toEqual(['To all', 'From Ada\u001b[31m'])
  }
  expect((await bugle('list', '--conversation', 'waiting-for-team')).stdout).toContain('#1')
  expect((await bugle('list', '--conversation', 'waiting-for-reporter')).stdout).toBe('No matching issues.\n')
  expect((await bugle('show', '1')).stdout).toMatch(/conversation +waiting for team/)
})

test('a status change can include a reply, which is sent once per id', async () => {
  const { ada, adaReport, bugle } = await setUp()
  for (const _ of [1, 2]) {
    const { code } = await bugle('move', '1', 'resolved', '--reply', 'It is fixed', '--reply-id', 'fixed')
    expect(code).toBe(0)
  }
  expect(await ada.messages(adaReport)).toEqual([['team', 'It is fixed']])
  expect(await ada.reports()).toMatchObject([{ status: 'resolved' }])
  expect((await bugle('show', '1')).stdout).toContain('comment created (reply to reporters)')
  expect(await bugle('move', '1', 'open', '--reply', ' ')).toMatchObject({ code: 2 })
  expect(await bugle('move', '1', 'open', '--reply-id', 'x')).toMatchObject({ code: 2 })
})

test('a reporter is blocked and unblocked', async () => {
  const { ada, adaReport, bugle } = await setUp()
  expect((await bugle('block-reporter', '1', '1')).stdout).toBe(`The reporter of ${adaReport} is blocked.\n`)
  expect(await ada.reports()).toEqual([])
  expect((await bugle('reports', '1')).stdout).toContain('reporter blocked')
  expect((await bugle('unblock-reporter', '1', adaReport)).code).toBe(0)
  expect(await ada.reports()).toHaveLength(1)
  expect(await bugle('block-reporter', '1', '9')).toMatchObject({ code: 1 })
})
