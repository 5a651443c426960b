import type { Issue } from '@bugle/contract'
import { useDraft } from '../../../api/drafts.ts'

/** An edit that was not saved yet, and what the issue was when it began. */
export interface EditDraft {
  readonly before: Pick<Issue, 'title' | 'description' | 'version'>
  readonly title: string
  readonly description: string
}

/** The unsaved edit of an issue, if there is one. */
export function useEditDraft(
  issueId: string,
): [draft: EditDraft | undefined, keep: (draft: EditDraft | undefined) => void] {
  const [text, keepText] = useDraft(`edit:${issueId}`)
  const draft = text === undefined ? undefined : (JSON.parse(text) as EditDraft)
  return [draft, (next) => keepText(next && JSON.stringify(next))]
}
