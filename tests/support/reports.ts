import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Answer, type Client, isCut, workThrough } from './load.ts'

/** More than any machine can send before the signal. */
const MAX_REPORTS_UNTIL_CUT = 50_000

/** A report, and its response unless the server stopped before. */
export interface Sending {
  readonly report: { readonly submissionId: string; readonly title: string }
  readonly answer: Answer | undefined
}

/** Sends reports over all connections until the server stops, or it is stopped. */
export async function submitUntilCut(client: Client, stop?: AbortSignal): Promise<readonly Sending[]> {
  let isGone = false
  function* reports() {
    for (let n = 1; n <= MAX_REPORTS_UNTIL_CUT && !isGone && !stop?.aborted; n++) {
      yield { submissionId: randomUUID(), title: `Report ${n}` }
    }
  }
  return workThrough(reports(), async (report) => {
    try {
      return { report, answer: await client.submit(report) }
    } catch (error) {
      if (!isCut(error)) throw error
      isGone = true
      return { report, answer: undefined }
    }
  })
}

/** Every acknowledged report can be retrieved, under its number. */
export async function expectStored(client: Client, acknowledged: readonly Answer[]): Promise<void> {
  const retrieved = await workThrough(acknowledged, ({ body }) => client.get(`/v1/issues/${body.id}`))
  expect(retrieved.map(recordOf)).toEqual(acknowledged.map(recordOf))
}

export async function countIssues(client: Client): Promise<number> {
  const { body } = await client.get('/v1/issues?pageSize=1')
  return body.pagination.totalCount
}

export function acknowledgedOf(sendings: readonly Sending[]): readonly Answer[] {
  return sendings.flatMap(({ answer }) => (answer?.status === 201 ? [answer] : []))
}

/** The fields of the response to a submission. */
export function recordOf({ body: { id, issueNumber, title, status, createdAt } }: Answer) {
  return { id, issueNumber, title, status, createdAt }
}
