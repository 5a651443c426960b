import type { IssueStatus } from '@bugle/contract/vocabulary'
import type { FixedIn } from '../../../model/issues.ts'
import type { Texts } from '../../dialects.ts'

/** After `issues i`: the issue that it is a duplicate of. A duplicate has the status and the fix of its target, and nothing else of it. */
export const TARGET: Texts = {
  postgres: `LEFT JOIN LATERAL (SELECT o.number, o.status, o.fixed_in_version, o.fixed_in_build FROM issues o
    WHERE o.project = i.project AND o.id BETWEEN i.duplicate_of::uuid AND i.duplicate_of::uuid ORDER BY o.id LIMIT 1) t ON true`,
  sqlite: 'LEFT JOIN issues t ON t.id = unhex(i.duplicate_of)',
}

const shown = (column: string) =>
  `CASE WHEN t.status IS NULL THEN i.${column} ELSE t.${column} END AS ${column}`

/** The columns of an issue that its reporters see. */
export const SHOWN_STATUS = ['status', 'fixed_in_version', 'fixed_in_build'].map(shown).join(', ')

export interface StatusRow {
  readonly status: IssueStatus
  readonly fixed_in_version: string | null
  readonly fixed_in_build: string | null
}

/** An issue keeps the release of a fix when it is reopened, and may get one early; only a resolved issue is shown as fixed. */
export function shownStatus({ status, fixed_in_version, fixed_in_build }: StatusRow): {
  readonly status: IssueStatus
  readonly fixedIn: FixedIn | null
} {
  if (status !== 'resolved' || fixed_in_version === null) return { status, fixedIn: null }
  return { status, fixedIn: { appVersion: fixed_in_version, buildNumber: fixed_in_build } }
}
