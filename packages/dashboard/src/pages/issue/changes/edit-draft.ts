import type { Issue } from '@bugle/contract'
import { useDraft } from '../../../api/issues/drafts.ts'

/** An unsaved edit, with the issue as it was when editing started. */
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
