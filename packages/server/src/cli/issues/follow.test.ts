import { ApiProblem, ApiUnreachable, createClient } from '@bugle/client'
import { expect, it } from 'vitest'
import type { IssueFilters } from './filters.ts'
import { type Failure, followIssues } from './follow.ts'

/** Follows a server that sends these responses, one per request, until the last one. */
async function follow(answers: (() => Response)[]) {
  const stop = new AbortController()
  const failures: Failure[] = []
  const fetch = async () => {
    const answer = answers.shift()
    if (answer === undefined) stop.abort()
    stop.signal.throwIfAborted()
    return answer?.() ?? Response.error()
  }
  const numbers: number[] = []
  const following = followIssues({
    client: createClient({ url: 'http://bugle.test', fetch }),
    filters: {} as IssueFilters,
    intervalMs: 1,
    signal: stop.signal,
    onFailure: (failure) => failures.push(failure),
  })
  for await (const { issueNumber } of following) numbers.push(issueNumber)
  return { numbers, failures }
}

const page =
  (numbers: readonly number[], nextCursor: string | null = null) =>
  () =>
    Response.json({ data: numbers.map((issueNumber) => ({ issueNumber })), pagination: { nextCursor } })

const problem = (status: number, code: string) => () =>
  Response.json(
    { code, title: 'T', detail: 'D' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  )

const noAnswer = () => {
  throw new TypeError('fetch failed')
}

it('prints issues that arrive after the start, once and in order', async () => {
  const { numbers } = await follow([page([7]), page([7, 6]), page([9, 8, 7]), page([9, 8])])
  expect(numbers).toEqual([8, 9])
})

it('starts with the first issue of an empty project', async () => {
  expect((await follow([page([]), page([]), page([1])])).numbers).toEqual([1])
})

it('continues if more has arrived than fits on a page', async () => {
  const { numbers } = await follow([page([1]), page([5, 4], 'more'), page([3, 2, 1]), page([5])])
  expect(numbers).toEqual([2, 3, 4, 5])
})

it('survives an outage, reports it once and misses nothing', async () => {
  const { numbers, failures } = await follow([
    ...[
      page([1]),
      noAnswer,
      problem(503, 'unavailable'),
      page([2, 1]),
      problem(429, 'rate-limited'),
      page([3, 2]),
    ],
  ])
  expect(numbers).toEqual([2, 3])
  expect(failures).toEqual([expect.any(ApiUnreachable), expect.any(ApiProblem)])
})

it('prints nothing of an interrupted read, and all of it the next time', async () => {
  const { numbers } = await follow([page([1]), page([4, 3], 'more'), noAnswer, page([4, 3, 2, 1])])
  expect(numbers).toEqual([2, 3, 4])
})

it('ends when the key no longer works', async () => {
  await expect(follow([page([1]), problem(401, 'invalid-credentials')])).rejects.toThrow(ApiProblem)
})
