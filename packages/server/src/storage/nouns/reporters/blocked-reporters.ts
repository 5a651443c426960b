import type { ProjectId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import { type ReporterBlock, reporterIdOf } from '../../../model/reports/my-reports.ts'
import { forBoth } from '../../dialects.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { all, change, List, type Operation, storedSeq, touchCatalog } from '../../operations.ts'
import { lockPlace } from '../issues/comments.ts'
import { addEvent } from '../issues/event-log.ts'
import { endConversation } from './conversation-state.ts'

const INSERT = `INSERT INTO blocked_reporters (project, key_hash, lane, at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (project, key_hash, lane) DO NOTHING`
const DELETE = 'DELETE FROM blocked_reporters WHERE project = $1 AND key_hash = $2 AND lane = $3'

/** Blocks or unblocks a reporter in the lane of the issue, with an event if that changes anything. */
export function* setReporterBlocked(command: ReporterBlock): Operation<boolean> {
  const place = yield* lockPlace(command)
  if (place === undefined) return false
  const { project, issueNumber, lane } = place
  const { keyHash, isBlocked, at } = command
  const changed = isBlocked
    ? yield* change(INSERT, project, keyHash, LANE_CODES[lane], at)
    : yield* change(DELETE, project, keyHash, LANE_CODES[lane])
  if (changed === 0) return true
  yield* touchCatalog()
  const id = reporterIdOf(command)
  if (isBlocked) yield* endConversation(place, id)
  const changes = [{ member: 'reporterId', from: isBlocked ? null : id, to: isBlocked ? id : null }]
  const type = isBlocked ? 'reporter.blocked' : 'reporter.unblocked'
  const event = { type, changes, note: null, reason: null } as const
  yield* addEvent(project, { event, lane, by: command, issueNumber })
  return true
}

const SELECT_HASHES = forBoth(
  ({ seq }) =>
    `SELECT DISTINCT key_hash FROM blocked_reporters WHERE project = ${seq('$1')} ORDER BY key_hash`,
)

/** The hashes of the secrets of all blocked reporters. */
export function* listBlockedReporters(projectId: ProjectId): Operation<readonly string[]> {
  const rows = yield* all<{ key_hash: string }>(SELECT_HASHES, storedSeq(projectId))
  return rows.map((row) => row.key_hash)
}

const SELECT_BLOCKED = forBoth(
  ({ seq, isIn }) =>
    `SELECT b.key_hash FROM blocked_reporters b
     WHERE b.project = ${seq('$1')} AND b.lane = $2 AND ${isIn('b.key_hash', '$3')}`,
)

/** Which of these reporters were blocked on an issue of this lane. */
export function* findBlockedReporters(
  projectId: ProjectId,
  lane: Lane,
  keyHashes: readonly string[],
): Operation<readonly string[]> {
  if (keyHashes.length === 0) return []
  const rows = yield* all<{ key_hash: string }>(
    SELECT_BLOCKED,
    storedSeq(projectId),
    LANE_CODES[lane],
    new List(keyHashes),
  )
  return rows.map((row) => row.key_hash)
}
