import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type Answer, CONNECTIONS, openClient, workThrough } from './support/load.ts'
import { countIssues, recordOf } from './support/reports.ts'
import { startFirstServer } from './support/start-server.ts'

const SUBMISSIONS = 10_000

describe('an acknowledged report', { timeout: 900_000 }, () => {
  test(`has its own number and can be retrieved: ${SUBMISSIONS} of them over 64 connections`, async () => {
    using folder = temporaryFolder()
    const { server, keys } = await startFirstServer(join(folder.path, 'bugle.db'))
    await using _ = server
    await using client = openClient(server.url, keys.secretKey)

    const answers = await workThrough(numbersTo(SUBMISSIONS), (n) => client.submit({ title: `Report ${n}` }))
    expect(client.countConnections()).toBe(CONNECTIONS)
    expect(statusesOf(answers)).toEqual({ 201: SUBMISSIONS })
    expect(issueNumbersOf(answers)).toEqual(numbersTo(SUBMISSIONS))

    const retrieved = await workThrough(answers, ({ body }) => client.get(`/v1/issues/${body.id}`))
    expect(retrieved.map(recordOf)).toEqual(answers.map(recordOf))
    expect(await countIssues(client)).toBe(SUBMISSIONS)
  })
})

function issueNumbersOf(answers: readonly Answer[]): readonly number[] {
  return answers.map(({ body }) => body.issueNumber as number).sort((a, b) => a - b)
}

function statusesOf(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function numbersTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}
