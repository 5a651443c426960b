import { endpoints } from '@bugle/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from './client.ts'
import { issueEventsQuery } from './issues.ts'

/** A comment to be stored once, however often it is sent. */
export interface NewComment {
  readonly commentId: string
  readonly text: string
}

export function useAddComment(issueId: string) {
  const refresh = useRefreshHistory(issueId)
  return useMutation({
    mutationFn: (body: NewComment) => client.call(endpoints.createComment, { params: { id: issueId }, body }),
    onSuccess: refresh,
  })
}

export function useEditComment(issueId: string, commentId: string) {
  const refresh = useRefreshHistory(issueId)
  return useMutation({
    mutationFn: (text: string) =>
      client.call(endpoints.changeComment, { params: { id: issueId, commentId }, body: { text } }),
    onSuccess: refresh,
  })
}

export function useDeleteComment(issueId: string, commentId: string) {
  const refresh = useRefreshHistory(issueId)
  return useMutation({
    mutationFn: () => client.call(endpoints.deleteComment, { params: { id: issueId, commentId } }),
    onSuccess: refresh,
  })
}

/** The history contains the comments. */
function useRefreshHistory(issueId: string): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: issueEventsQuery(issueId).queryKey })
}
