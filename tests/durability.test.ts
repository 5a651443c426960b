import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type Answer, CONNECTIONS, openClient, workThrough } from './support/load.ts'
import {
  acknowledgedOf,
  countIssues,
  expectStored,
  recordOf,
  type Sending,
  submitUntilCut,
} from './support/reports.ts'
import { startFirstServer, startServer } from './support/start-server.ts'

const SUBMISSIONS = 10_000
const KILLS = 3

describe('an acknowledged report', { timeout: 60_000 }, () => {
  test('has its own number and can be retrieved: 10,000 of them over 64 connections', async () => {
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

  test('survives SIGKILL at any moment, and is the same issue when it is sent again', async () => {
    using folder = temporaryFolder()
    const database = join(folder.path, 'bugle.db')
    const { server: firstServer, keys } = await startFirstServer(database)
    await firstServer.end('SIGTERM')
    const sendings: Sending[] = []

    for (let kill = 1; kill <= KILLS; kill++) {
      await using server = await startServer(database)
      await using client = openClient(server.url, keys.secretKey)
      const killed = sleep(randomInt(50, 700)).then(() => server.end('SIGKILL'))
      sendings.push(...(await submitUntilCut(client)))
      expect(await killed).toEqual({ code: null, signal: 'SIGKILL' })
    }
    expect(acknowledgedOf(sendings).length).toBeGreaterThan(0)

    await using server = await startServer(database)
    await using client = openClient(server.url, keys.secretKey)
    await expectStored(client, acknowledgedOf(sendings))

    const again = await workThrough(sendings, ({ report }) => client.submit(report))
    expect(statusesOf(again)).toEqual({ 201: sendings.length })
    expect(issueNumbersOf(again)).toEqual(numbersTo(sendings.length))
    expect(await countIssues(client)).toBe(sendings.length)
    for (const [index, { answer }] of sendings.entries()) {
      if (answer === undefined) continue
      expect(again[index]?.body).toEqual(answer.body)
      expect(again[index]?.headers['idempotency-replayed']).toBe('true')
    }
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
