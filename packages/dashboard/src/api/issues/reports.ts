import { endpoints } from '@bugle/contract'
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../client.ts'
import { issueEventsQuery, issueQuery, issueReportsQuery } from './issues.ts'

/** The reports of an issue with their texts, newest first, page by page: each text once, or every report. */
export function reportTextsQuery(id: string, distinct: boolean) {
  return infiniteQueryOptions({
    // Refreshed together with the other reports of the issue.
    queryKey: [...issueReportsQuery(id).queryKey, { distinct }],
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await client.call(endpoints.listIssueReports, { params: { id }, query: { cursor, distinct }, signal }))
        .body,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })
}

export type ReportAction = 'delete' | 'redact'

/** Deletes or redacts one report of an issue. */
export function useRemoveReport(id: string) {
  const refresh = useRefreshReports(id)
  return useMutation({
    mutationFn: async ({
      action,
      reportId,
      issueId,
    }: {
      readonly action: ReportAction
      readonly reportId: string
      /** Of the issue, or of a duplicate of it. */
      readonly issueId: string
    }) => {
      const input = { params: { id: issueId, reportId } }
      if (action === 'delete') await client.call(endpoints.deleteReport, input)
      else await client.call(endpoints.redactReport, input)
    },
    onSuccess: refresh,
  })
}

interface ReporterBlock {
  readonly isBlocked: boolean
  readonly reportId: string
  /** Of the issue, or of a duplicate of it. */
  readonly issueId: string
}

/** Blocks the reporter of a report in the whole project, or unblocks them. */
export function useBlockReporter(id: string) {
  const refresh = useRefreshReports(id)
  return useMutation({
    mutationFn: async ({ isBlocked, reportId, issueId }: ReporterBlock) => {
      const input = { params: { id: issueId, reportId } }
      if (isBlocked) await client.call(endpoints.blockReporter, input)
      else await client.call(endpoints.unblockReporter, input)
    },
    onSuccess: refresh,
  })
}

/** Reads an issue again with its reports and its history. */
function useRefreshReports(id: string): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [issueReportsQuery(id), issueEventsQuery(id), issueQuery(id)].map(({ queryKey }) =>
        queries.invalidateQueries({ queryKey, exact: queryKey.length === 2 }),
      ),
    )
}
