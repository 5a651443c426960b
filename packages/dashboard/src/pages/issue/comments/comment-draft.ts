import type { DeclaredAttachment } from '@bugle/contract'
import { useState } from 'react'
import type { ReplyTo } from '../../../api/issues/comments.ts'
import { useDraft } from '../../../api/issues/drafts.ts'
import type { ChosenFile } from '../../../files/prepared-files.ts'

/** A comment that is being written. */
export interface CommentDraft {
  readonly text: string
  /** The reporters that it is a reply to; `null`: it is for the team. */
  readonly replyTo: ReplyTo | null
  /**
   * Set once it is sent with this text. If the response is lost, it is sent again with the same id, also after a reload, and
   * is stored once.
   */
  readonly commentId?: string
  /** What was declared when it was sent. After a reload, the bytes are no longer known. */
  readonly attachments?: readonly DeclaredAttachment[]
}

/** What is written next is for the team, also after a reply. */
export const EMPTY_DRAFT: CommentDraft = { text: '', replyTo: null }

/** The comment that the person is writing on an issue. Without a text, it is not stored. */
export function useCommentDraft(issueId: string): [draft: CommentDraft, keep: (draft: CommentDraft) => void] {
  const [stored, keepStored] = useDraft(`comment:${issueId}`)
  const [draft, setDraft] = useState<CommentDraft>(() => ({ ...EMPTY_DRAFT, ...JSON.parse(stored ?? '{}') }))

  function keep(next: CommentDraft): void {
    setDraft(next)
    keepStored(next.text === '' ? undefined : JSON.stringify(next))
  }

  return [draft, keep]
}

const chosenFor = new Map<string, readonly ChosenFile[]>()

/** The files that were chosen for a comment. They survive navigation, but not a reload: a browser does not store files. */
export function useChosenFiles(
  name: string,
): [files: readonly ChosenFile[], choose: (files: readonly ChosenFile[]) => void] {
  const [files, setFiles] = useState(() => chosenFor.get(name) ?? [])

  function choose(next: readonly ChosenFile[]): void {
    if (next.length === 0) chosenFor.delete(name)
    else chosenFor.set(name, next)
    setFiles(next)
  }

  return [files, choose]
}
