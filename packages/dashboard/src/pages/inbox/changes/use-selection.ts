import type { IssueListItem } from '@bugle/contract'
import { useState } from 'react'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import type { IssueList } from '../list/issue-list.ts'

/** Undoing a change of more would take minutes, because each issue is restored by itself. */
const MAX_SELECTED = 200

export interface Selection {
  readonly ids: ReadonlySet<string>
  has(id: string): boolean
  /** Adds or removes a row. */
  toggle(index: number): void
  /** Adds all rows up to this one, starting at the last toggled row or, if there is none, at `start`. */
  extend(start: number, index: number): void
  clear(): void
  /** The selected issues as the list knows them now. */
  issues(): readonly IssueListItem[]
}

/** The selected rows. */
export function useSelection(list: IssueList): Selection {
  const [selected, setSelected] = useState({ list, ids: new Map<string, IssueListItem>(), anchor: 0 })
  const { ids, anchor } =
    selected.list === list ? selected : { ids: new Map<string, IssueListItem>(), anchor: 0 }

  function keep(next: Map<string, IssueListItem>, newAnchor: number): void {
    if (next.size > MAX_SELECTED) {
      showToast({ tone: 'danger', text: `At most ${MAX_SELECTED} issues can be selected.` })
      return
    }
    setSelected({ list, ids: next, anchor: newAnchor })
  }

  return {
    ids: new Set(ids.keys()),
    has: (id) => ids.has(id),
    toggle(index) {
      const row = list.row(index)
      if (typeof row !== 'object') return
      const next = new Map(ids)
      if (!next.delete(row.id)) next.set(row.id, row)
      keep(next, index)
    },
    extend(start, index) {
      const next = new Map(ids)
      const from = ids.size === 0 ? start : anchor
      for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
        const row = list.row(at)
        if (typeof row === 'object') next.set(row.id, row)
        if (next.size > MAX_SELECTED) break
      }
      keep(next, from)
    },
    clear: () => setSelected({ list, ids: new Map(), anchor: 0 }),
    issues: () =>
      [...ids.values()].map((issue) => {
        const row = list.row(list.indexOf(issue.id))
        return typeof row === 'object' ? row : issue
      }),
  }
}
