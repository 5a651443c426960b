import { MAX_COUNTED_ATTACHMENTS } from '@bugle/contract/vocabulary'
import type { AttachmentTally, TallyPlace } from '../../../model/reports/attachments.ts'
import { forBoth } from '../../dialects.ts'
import { highestLane } from '../../issues/lane-codes.ts'
import { IS_KEPT } from '../../issues/reports/attachment-state.ts'
import { type Operation, one, storedSeq } from '../../operations.ts'

/** More than are counted: those of hidden issues, and those that are not kept, are examined too. */
export const MAX_EXAMINED_ATTACHMENTS = 10 * MAX_COUNTED_ATTACHMENTS

// Issues are found by the project of each file: with a constant, a plan that was made for empty tables may read all issues of the project.
const TALLY = forBoth(
  ({ isAfter, isSame, orderOf, seq }) =>
    `SELECT CAST(count(received_at) AS bigint) AS received, CAST(count(CASE WHEN received_at IS NOT NULL OR omitted IS NULL THEN 1 END) AS bigint) AS declared FROM
       (SELECT r.received_at, r.omitted FROM
          (SELECT r.* FROM attachments r WHERE ${isAfter('r.issue_number', seq('$1'), '0')} AND r.number >= 0
           ORDER BY ${orderOf('r.issue_number')} DESC, r.number DESC LIMIT ${MAX_EXAMINED_ATTACHMENTS}) r
        JOIN issues i ON ${isSame('i.number', 'r.issue_number', 'r.project')}
        WHERE i.lane <= $2 AND ${IS_KEPT}
        ORDER BY ${orderOf('r.issue_number')} DESC, r.number DESC LIMIT ${MAX_COUNTED_ATTACHMENTS}) AS newest`,
)

/** Counts the files of the newest issues in these lanes, without those that are not kept. */
export function* tallyAttachments({ projectId, lanes }: TallyPlace): Operation<AttachmentTally> {
  const row = yield* one<{ received: number; declared: number }>(
    TALLY,
    ...[storedSeq(projectId), highestLane(lanes)],
  )
  const { received = 0, declared = 0 } = row ?? {}
  return { received, pending: declared - received }
}
