import { keepsFiles, reportNumberOf } from '../../../model/reports/attachments.ts'
import { forBoth, type Texts } from '../../dialects.ts'
import { LAST_REPORT } from '../../issues/reports/attachment-state.ts'
import { SUSPECT_FILES } from '../../issues/reports/suspect-files.ts'
import { all, List, type Operation, type Operations, one, send } from '../../operations.ts'
import type { AttachmentPlace, AttachmentStorage } from '../../ports/attachments.ts'

/** Attachments examined in one step, so that a step is short. */
const EXAMINE_STEP = 500

/**
 * A report joins an issue without looking at files, so those that are no longer kept because of it are found here, by
 * going through the received files of all projects.
 */
export function omittedFileStorage({
  read,
  writeInBackground,
}: Operations): Pick<AttachmentStorage, 'releaseOmitted'> {
  return {
    async releaseOmitted(after, limit = EXAMINE_STEP) {
      const { omitted, next } = await read(findOmitted, after, limit)
      for (const [issueNumber, numbers] of omitted.numbers)
        await writeInBackground(releaseOmittedFiles, omitted.project, issueNumber, numbers)
      return next
    },
  }
}

interface ReceivedRow {
  readonly issue_number: number
  readonly number: number
  /** The number of the last report of the issue; `null` if the issue is being deleted. */
  readonly last_report: number | null
}

const SELECT_PROJECT =
  'SELECT seq FROM projects WHERE seq >= $1 AND slug IS NOT NULL AND file_bytes > 0 ORDER BY seq LIMIT 1'
const SELECT_RECEIVED: Texts = {
  sqlite: `SELECT r.issue_row & ${2 ** 32 - 1} AS issue_number, r.number,
      (SELECT ${LAST_REPORT} FROM issues i WHERE i.row = r.issue_row) AS last_report
    FROM attachments r INDEXED BY received_attachments
    WHERE (r.issue_row, r.number) > (($1 << 32) + $2, $3) AND r.issue_row < ($1 + 1) << 32
      AND r.received_at IS NOT NULL
    ORDER BY r.issue_row, r.number LIMIT $4`,
  postgres: `SELECT r.issue_number, r.number,
      (SELECT ${LAST_REPORT} FROM issues i WHERE i.project = r.project AND i.number = r.issue_number) AS last_report
    FROM attachments r
    WHERE r.project = $1 AND (r.issue_number, r.number) > ($2, $3) AND r.received_at IS NOT NULL
    ORDER BY r.project, r.issue_number, r.number LIMIT $4`,
}

interface Examined {
  readonly omitted: { readonly project: number; readonly numbers: ReadonlyMap<number, readonly number[]> }
  readonly next: AttachmentPlace | null
}

function* findOmitted(after: AttachmentPlace | null, limit: number): Operation<Examined> {
  const row = yield* one<{ seq: number }>(SELECT_PROJECT, after?.project ?? 0)
  if (row === undefined) return { omitted: { project: 0, numbers: new Map() }, next: null }
  const project = row.seq
  const start = after?.project === project ? after : { issueNumber: 0, number: 0 }
  const rows = yield* all<ReceivedRow>(SELECT_RECEIVED, project, start.issueNumber, start.number, limit)
  const notKept = rows.filter(
    ({ number, last_report: last }) => last !== null && !keepsFiles(reportNumberOf(number), last),
  )
  const byIssue = Map.groupBy(notKept, ({ issue_number: issueNumber }) => issueNumber)
  const numbers = new Map(Array.from(byIssue, ([issue, found]) => [issue, found.map(({ number }) => number)]))
  const last = rows.length < limit ? undefined : rows.at(-1)
  const next =
    last === undefined
      ? { project: project + 1, issueNumber: 0, number: 0 }
      : { project, issueNumber: last.issue_number, number: last.number }
  return { omitted: { project, numbers }, next }
}

const FORGET_RECEIVED = forBoth(
  ({ isKey, isIn }) =>
    `UPDATE attachments AS r SET received_at = NULL
     WHERE ${isKey('r.issue_number', '$1', '$2')} AND ${isIn('r.number', '$3')}`,
)

/** Releases files of reports that are neither among the first nor among the latest of an issue, which they never become again. */
export function* releaseOmittedFiles(
  project: number,
  issueNumber: number,
  attachmentNumbers: readonly number[],
): Operation<void> {
  yield* one('SELECT seq FROM projects WHERE seq = $1 FOR UPDATE', project)
  const numbers = new List(attachmentNumbers)
  yield* send(SUSPECT_FILES, project, issueNumber, numbers)
  yield* send(FORGET_RECEIVED, project, issueNumber, numbers)
}
