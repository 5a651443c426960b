import { useDraft } from '../../../api/drafts.ts'

/** A comment that is being written. */
export interface CommentDraft {
  readonly text: string
  /**
   * Set once it is sent with this text. If the response is lost, it is sent again with the same id, also after a reload, and
   * is stored once.
   */
  readonly commentId?: string
}

const EMPTY: CommentDraft = { text: '' }

/** The comment that the person is writing on an issue. */
export function useCommentDraft(issueId: string): [draft: CommentDraft, keep: (draft: CommentDraft) => void] {
  const [stored, keepStored] = useDraft(`comment:${issueId}`)
  const draft = stored === undefined ? EMPTY : (JSON.parse(stored) as CommentDraft)
  return [draft, (next) => keepStored(next.text === '' ? undefined : JSON.stringify(next))]
}
