import { endpoints, type Issue, type IssuePatch, MAX_PAGE_SIZE, type Report } from '@bugle/contract'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../client.ts'

/** An issue in full. */
export function issueQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id],
    queryFn: async ({ signal }) =>
      (await client.call(endpoints.retrieveIssue, { params: { id }, signal })).body,
  })
}

/** The id of the issue with this number: people use numbers, everything else uses the id. */
export function issueIdQuery(idOrSlug: string, issueNumber: string) {
  return queryOptions({
    queryKey: ['issue-id', idOrSlug, issueNumber],
    queryFn: async ({ signal, client: queries }) => {
      const params = { idOrSlug, issueNumber }
      const { body: issue } = await client.call(endpoints.retrieveIssueByNumber, { params, signal })
      queries.setQueryData(issueQuery(issue.id).queryKey, issue)
      return issue.id
    },
    // Numbers are never reassigned.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The history of an issue, oldest first, page by page. */
export function issueEventsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['issue', id, 'events'],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const input = { params: { id }, query: { cursor, pageSize: MAX_PAGE_SIZE }, signal }
      return (await client.call(endpoints.listIssueEvents, input)).body
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })
}

/** Enough to show where an issue occurs; some issues have millions of reports. */
const MAX_REPORTS = 300

/** Where the latest reports of an issue came from, newest first, without their text. */
export function issueReportsQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id, 'reports'],
    queryFn: async ({ signal }) => {
      const reports: Report[] = []
      const query = { pageSize: MAX_PAGE_SIZE, includeText: false }
      const input = { params: { id }, query, signal }
      for await (const report of client.items(endpoints.listIssueReports, input)) {
        if (reports.push(report) >= MAX_REPORTS) break
      }
      return reports
    },
  })
}

export interface IssueChange {
  readonly patch: IssuePatch
  /** The issue as the person sees it: changes by others must not be overwritten unseen. */
  readonly known: Issue
}

export function useChangeIssue(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ patch, known }: IssueChange) => {
      const headers = { 'If-Match': `"${known.version}"` }
      return (await client.call(endpoints.changeIssue, { params: { id }, body: patch, headers })).body
    },
    onSuccess(issue) {
      queries.setQueryData(issueQuery(id).queryKey, issue)
      return queries.invalidateQueries({ queryKey: issueEventsQuery(id).queryKey })
    },
  })
}

export function useDeleteIssue(id: string) {
  return useMutation({
    mutationFn: () => client.call(endpoints.deleteIssue, { params: { id } }),
  })
}
