import { BULK_CHANGES_KEPT_MS } from '../../../model/bulk-changes.ts'
import { forBoth } from '../../dialects.ts'

/** The statements on bulk changes that were made. */
export const FIND_BULK_CHANGE = forBoth(
  () =>
    `SELECT content_hash AS "contentHash", matched, changed FROM bulk_changes
     WHERE project = $1 AND id BETWEEN $2 AND $2 ORDER BY id LIMIT 1`,
)

export const INSERT_BULK_CHANGE = forBoth(
  () =>
    'INSERT INTO bulk_changes (project, id, content_hash, matched, changed, at) VALUES ($1, $2, $3, $4, $5, $6)',
)

/** A few of those made before `$2`: each new one removes more than one. */
export const REMOVE_BULK_CHANGES = forBoth(
  ({ isAmong }) =>
    `DELETE FROM bulk_changes WHERE project = $1 AND ${isAmong(
      'id',
      'SELECT id FROM bulk_changes WHERE project = $1 AND at < $2 ORDER BY at LIMIT 10',
    )}`,
)

/** Earlier ones are no longer needed. */
export function keptSince(now: number): number {
  return now - BULK_CHANGES_KEPT_MS
}
