import type { BulkPatch, IssueListItem, IssueStatus, Priority } from '@bugle/contract'

/** What can be changed for several issues at once. Of the labels, each issue keeps its others. */
export type RowPatch =
  | { readonly status: IssueStatus }
  | { readonly priority: Priority }
  | { readonly assigneeId: string | null }
  | { readonly addLabels: readonly string[]; readonly removeLabels: readonly string[] }

/** The field that a patch changes, with its new value. */
export type RowContent = Exclude<RowPatch, { readonly addLabels: unknown }> | { readonly labels: string[] }

export type RowField = 'status' | 'priority' | 'assigneeId' | 'labels'

/** The field that a patch changes. */
export function fieldOf(patch: RowPatch): RowField {
  if ('status' in patch) return 'status'
  if ('priority' in patch) return 'priority'
  return 'addLabels' in patch ? 'labels' : 'assigneeId'
}

/** What a patch makes of an issue. */
export function contentOf({ labels }: IssueListItem, patch: RowPatch): RowContent {
  if (!('addLabels' in patch)) return patch
  const kept = (labels ?? []).filter((name) => !patch.removeLabels.includes(name))
  return { labels: [...new Set([...kept, ...patch.addLabels])].toSorted() }
}

/** The same change as the API expects it for several issues. */
export function toBulkPatch(patch: RowPatch): BulkPatch {
  if (!('addLabels' in patch)) return patch
  return { addLabels: [...patch.addLabels], removeLabels: [...patch.removeLabels] }
}
