import { expect, it } from 'vitest'
import { createIssueList, type IssueList } from '../packages/dashboard/src/pages/inbox/list/issue-list.ts'
import { startApp } from '../packages/server/test-support/start-app.ts'

/** Small pages, so that parts of a short list are dropped. */
const PAGE_ROWS = 2
const ISSUES = 120

it('shows no issue twice after a page was dropped and an issue left the list', async () => {
  await using app = await startApp()
  const { secretKey: key, publicKey } = await app.addProject({ name: 'Kitchen' })
  for (let number = 1; number <= ISSUES; number++)
    await app.send('POST', '/v1/issues', { key: publicKey, body: { title: `Issue ${number}` } })

  const list = createIssueList(async (cursor) => {
    const place = cursor === undefined ? '' : `&cursor=${cursor}`
    return (await app.send('GET', `/v1/issues?status=open&pageSize=${PAGE_ROWS}${place}`, { key })).body
  })
  list.show(ISSUES - 2, ISSUES - 1)
  await until(list, ISSUES - 1)
  expect(list.row(11)).toBeUndefined()

  // Newest first: the issue in row 10 has the number 110.
  const { body } = await app.send('GET', '/v1/issues?page=11&pageSize=1', { key })
  expect(body.data[0].issueNumber).toBe(110)
  await app.send('PATCH', `/v1/issues/${body.data[0].id}`, { key, body: { status: 'closed' } })
  list.show(10, 13)
  await until(list, 13)
  expect(list.row(10)).toBe('gone')
  for (const row of [11, 12, 13]) expect(list.row(row)).toMatchObject({ issueNumber: ISSUES - row })
})

async function until(list: IssueList, row: number): Promise<void> {
  await expect.poll(() => list.row(row), { interval: 5 }).toBeDefined()
}
