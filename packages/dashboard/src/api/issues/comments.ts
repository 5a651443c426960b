import { type CommentPatch, type DeclaredAttachment, endpoints } from '@bugle/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type PreparedFile, sendFiles } from '../../files/prepared-files.ts'
import { client } from '../client.ts'
import { issueEventsQuery, issueQuery } from './issues.ts'

/** The reporters that can read a comment: all of the issue, or the one of a report. */
export interface ReplyTo {
  readonly reportId: string | null
}

/** A comment to be stored once, however often it is sent. */
export interface NewComment {
  readonly commentId: string
  readonly text: string
  /** `null`: only the team can read it. */
  readonly replyTo: ReplyTo | null
  readonly attachments: readonly DeclaredAttachment[]
  /** The files whose bytes are sent afterwards. */
  readonly files: readonly PreparedFile[]
}

export function useAddComment(issueId: string) {
  const refresh = useRefreshHistory(issueId)
  return useMutation({
    async mutationFn({ commentId, text, replyTo, attachments, files }: NewComment) {
      const body = {
        commentId,
        text,
        ...(replyTo !== null && { audience: 'reporters' as const, reportId: replyTo.reportId }),
        ...(attachments.length > 0 && { attachments }),
      }
      await client.call(endpoints.createComment, { params: { id: issueId }, body })
      await sendFiles(files, (file) => client.uploadForComment({ issueId, commentId, ...file }))
    },
    // Even if a file could not be sent, the comment may have been stored.
    onSettled: refresh,
  })
}

interface CommentEdit extends CommentPatch {
  /** The added files, whose bytes are sent afterwards. */
  readonly files: readonly PreparedFile[]
}

export function useEditComment(issueId: string, commentId: string) {
  const refresh = useRefreshHistory(issueId)
  return useMutation({
    async mutationFn({ files, ...body }: CommentEdit) {
      await client.call(endpoints.changeComment, { params: { id: issueId, commentId }, body })
      await sendFiles(files, (file) => client.uploadForComment({ issueId, commentId, ...file }))
    },
    onSettled: refresh,
  })
}

export function useDeleteComment(issueId: string, commentId: string) {
  const refresh = useRefreshHistory(issueId)
  return useMutation({
    mutationFn: () => client.call(endpoints.deleteComment, { params: { id: issueId, commentId } }),
    onSuccess: refresh,
  })
}

/** The history contains the comments; the issue says who is expected to write next. */
function useRefreshHistory(issueId: string): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    void queries.invalidateQueries({ ...issueQuery(issueId), exact: true })
    await queries.invalidateQueries({ queryKey: issueEventsQuery(issueId).queryKey })
  }
}
