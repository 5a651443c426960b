import { setTimeout as sleep } from 'node:timers/promises'
import { ApiProblem, ApiUnreachable, type Client } from '@bugle/client'
import { endpoints, type IssueListItem, MAX_PAGE_SIZE } from '@bugle/contract'
import type { IssueFilters } from './filters.ts'

export type Failure = ApiProblem | ApiUnreachable

interface News {
  readonly issues: readonly IssueListItem[]
  readonly failure?: Failure
}

interface Following {
  readonly client: Client
  readonly filters: IssueFilters
  readonly intervalMs: number
  /** Stops following. */
  readonly signal: AbortSignal
  /** Called once when the server stops responding; requests are repeated until it does. */
  readonly onFailure: (failure: Failure) => void
}

/** The issues that arrive from now on, each once and in order, until the signal aborts. */
export async function* followIssues(following: Following): AsyncGenerator<IssueListItem, void> {
  const { signal, intervalMs } = following
  try {
    let seen = await newestNumber(following)
    let failure: Failure | undefined
    for (;;) {
      await sleep(Math.max(intervalMs, waitMsOf(failure)), undefined, { signal })
      const news = await askFor(following, seen)
      if (news.failure !== undefined && failure === undefined) following.onFailure(news.failure)
      failure = news.failure
      yield* news.issues
      seen = news.issues.at(-1)?.issueNumber ?? seen
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function newestNumber({ client, filters, signal }: Following): Promise<number> {
  const query = { ...filters, sort: 'newest', pageSize: 1 } as const
  const { body } = await client.call(endpoints.listIssues, { query, signal })
  return body.data[0]?.issueNumber ?? 0
}

/** The issues after a number, oldest first; or the error. */
async function askFor({ client, filters, signal }: Following, seen: number): Promise<News> {
  const issues: IssueListItem[] = []
  try {
    const query = { ...filters, sort: 'newest', pageSize: MAX_PAGE_SIZE } as const
    for await (const issue of client.items(endpoints.listIssues, { query, signal })) {
      if (issue.issueNumber <= seen) break
      issues.unshift(issue)
    }
    return { issues }
  } catch (error) {
    if (!isPassing(error)) throw error
    return { issues: [], failure: error }
  }
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): error is Failure {
  if (error instanceof ApiProblem) return error.status === 429 || error.status >= 500
  return error instanceof ApiUnreachable
}

function waitMsOf(failure: Failure | undefined): number {
  const seconds = failure instanceof ApiProblem ? failure.retryAfterSeconds : null
  return (seconds ?? 0) * 1_000
}
