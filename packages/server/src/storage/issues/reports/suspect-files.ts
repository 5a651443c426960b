import { type Dialect, forBoth } from '../../dialects.ts'

/** SQL that schedules files to be examined, because their references are about to be deleted. `digests` is a query. */
export function suspectFiles(isAmong: Dialect['isAmong'], digests: string): string {
  return `UPDATE files SET is_suspect = 1 WHERE project = $1 AND ${isAmong('digest', digests)}`
}

/** Schedules the files of the attachments of issue `$2` whose numbers are in the list `$3`. */
export const SUSPECT_FILES = forBoth(({ isKey, isIn, isAmong }) =>
  suspectFiles(
    isAmong,
    `SELECT r.digest FROM attachments r WHERE ${isKey('r.issue_number', '$1', '$2')} AND ${isIn('r.number', '$3')}
       AND r.received_at IS NOT NULL`,
  ),
)
