import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId } from '../../model/ids.ts'
import { oldest, unpromised, type WindowColumns } from '../sql/event-windows.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'
import { type EventRow, OPEN_KEY } from './event-rows.ts'
import { keyRange, numberOf, rowKey } from './row-keys.ts'
import { prepareCommand } from './statements.ts'

/** Events let go of in one step, so that submissions get in between. */
const EXPIRE_STEP_ROWS = 500

/**
 * Letting go of old events, as it runs in the writer. An issue's own history stays; what goes is that it was reported
 * again, once no reader is promised it any more: neither those of all lanes nor those of the open one.
 */
export function prepareEventExpiry(db: DatabaseSync) {
  const selectProject = db.prepare(
    'SELECT seq, expired_position, expired_open_position FROM projects WHERE id = ?',
  )
  const nextIn = (key: string, isInLane: string) =>
    db.prepare(
      `SELECT row, open_row, type, at, lane FROM events e WHERE ${key} > ? AND ${key} < ? ${isInLane}
       ORDER BY ${key} LIMIT ?`,
    )
  const selectNext = nextIn('e.row', '')
  const selectNextOpen = nextIn(OPEN_KEY, `AND e.lane = ${LANE_CODES.open}`)
  const remove = prepareCommand(db, 'DELETE FROM events WHERE row = ?')
  const mark = prepareCommand(
    db,
    'UPDATE projects SET expired_position = ?, expired_open_position = ? WHERE seq = ?',
  )

  return {
    expireSomeEvents(projectId: ProjectId, before: number): boolean {
      const project = selectProject.get(idToBytes(projectId)) as ProjectRow | undefined
      if (project === undefined) return false
      const { seq } = project
      const oldOf = (select: typeof selectNext, after: number) =>
        oldest(
          select.all(rowKey(seq, after), keyRange(seq).high, EXPIRE_STEP_ROWS) as unknown as EventRow[],
          before,
        ).map((row) => toExpiring(row))
      const old = oldOf(selectNext, project.expired_position)
      const oldOpen = oldOf(selectNextOpen, project.expired_open_position)
      if (old.length === 0 && oldOpen.length === 0) return false
      const expired = old.at(-1)?.position ?? project.expired_position
      const expiredOpen = oldOpen.at(-1)?.openPosition ?? project.expired_open_position
      for (const { row } of unpromised([...old, ...oldOpen], { expired, expiredOpen })) remove.run(row)
      mark.run(expired, expiredOpen, seq)
      return old.length === EXPIRE_STEP_ROWS || oldOpen.length === EXPIRE_STEP_ROWS
    },
  }
}

function toExpiring({ row, open_row: openRow, type, lane }: EventRow) {
  return { row, position: numberOf(row), openPosition: numberOf(openRow ?? row), type, lane }
}

interface ProjectRow extends Pick<WindowColumns, 'expired_position' | 'expired_open_position'> {
  readonly seq: number
}
