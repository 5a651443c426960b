import { endpoints, type Issue } from '@bugle/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../client.ts'
import { issueEventsQuery, issueQuery } from './issues.ts'

interface Mark {
  readonly isSpam: boolean
  readonly blockSender?: boolean
  /** The issue as the person sees it. */
  readonly known: Issue
}

/** Marks an issue as spam, or removes the mark. */
export function useMarkSpam(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ isSpam, blockSender = false, known }: Mark) => {
      const input = { params: { id }, headers: { 'If-Match': `"${known.version}"` } }
      if (!isSpam) return (await client.call(endpoints.unmarkSpam, input)).body
      return (await client.call(endpoints.markSpam, { ...input, body: { blockSender } })).body
    },
    onSuccess(issue) {
      queries.setQueryData(issueQuery(id).queryKey, issue)
      return queries.invalidateQueries({ queryKey: issueEventsQuery(id).queryKey })
    },
  })
}
