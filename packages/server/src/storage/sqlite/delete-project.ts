import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId } from '../../model/ids.ts'
import { keyRange } from './row-keys.ts'
import { prepareCommand, prepareLater } from './statements.ts'

/** Rows removed in one step, so that a step stays well under 20 ms and a running server hardly notices. */
const DELETE_STEP_ROWS = 500

/** How a project is deleted, step by step, as it runs in the writer. */
export function prepareProjectDeletion(db: DatabaseSync, touchCatalog: () => void) {
  const selectSeq = db.prepare('SELECT seq, indexed_number FROM projects WHERE id = ?')
  const hide = prepareCommand(db, 'UPDATE projects SET slug = NULL WHERE seq = ?')
  const removeKeys = prepareCommand(db, 'DELETE FROM keys WHERE project = ?')
  const removeIssues = prepareCommand(
    db,
    'DELETE FROM issues WHERE row IN (SELECT row FROM issues WHERE row > ? AND row < ? LIMIT ?)',
  )
  const removeEvents = prepareCommand(
    db,
    'DELETE FROM events WHERE row IN (SELECT row FROM events WHERE row > ? AND row < ? LIMIT ?)',
  )
  const removeSubmissions = prepareCommand(
    db,
    `DELETE FROM submissions WHERE project = ?1
       AND id IN (SELECT id FROM submissions WHERE project = ?1 LIMIT ?2)`,
  )
  const removeReports = prepareCommand(
    db,
    `DELETE FROM reports WHERE (issue_row, number) IN
       (SELECT issue_row, number FROM reports WHERE issue_row > ? AND issue_row < ? LIMIT ?)`,
  )
  const removeReportDays = prepareCommand(
    db,
    `DELETE FROM report_days WHERE (issue_row, day) IN
       (SELECT issue_row, day FROM report_days WHERE issue_row > ? AND issue_row < ? LIMIT ?)`,
  )
  const removeSearch = prepareLater(() => {
    const removal = prepareCommand(
      db,
      'DELETE FROM search WHERE rowid IN (SELECT rowid FROM search WHERE rowid > ? AND rowid < ? LIMIT ?)',
    )
    return (low: bigint, high: bigint, limit: number) => removal.run(low, high, limit).changes
  })
  const removeWebhooks = prepareCommand(db, 'DELETE FROM webhooks WHERE project = ?')
  const removeDeliveries = prepareCommand(
    db,
    `DELETE FROM deliveries WHERE (project, webhook, position) IN
       (SELECT project, webhook, position FROM deliveries WHERE project = ? LIMIT ?)`,
  )
  const removeAttempts = prepareCommand(
    db,
    `DELETE FROM attempts WHERE (project, webhook, position, number) IN
       (SELECT project, webhook, position, number FROM attempts WHERE project = ? LIMIT ?)`,
  )
  const removeCounters = prepareCommand(db, 'DELETE FROM counters WHERE project = ?')
  const remove = prepareCommand(db, 'DELETE FROM projects WHERE seq = ?')

  return {
    deleteProject(id: ProjectId): { removedIssues: number; isFinished: boolean } {
      const row = selectSeq.get(idToBytes(id)) as { seq: number; indexed_number: number } | undefined
      if (row === undefined) return { removedIssues: 0, isFinished: true }
      const { seq } = row
      hide.run(seq)
      removeKeys.run(seq)
      touchCatalog()
      const { low, high } = keyRange(seq)
      removeWebhooks.run(seq)
      const removedIssues = removeIssues.run(low, high, DELETE_STEP_ROWS).changes
      const removed =
        removedIssues +
        removeEvents.run(low, high, DELETE_STEP_ROWS).changes +
        removeReports.run(low, high, DELETE_STEP_ROWS).changes +
        removeReportDays.run(low, high, DELETE_STEP_ROWS).changes +
        // Unless the index is damaged. As integers: FTS5 ignores a bound that is a float, and would go through the index from its beginning.
        (row.indexed_number < 0 ? 0 : removeSearch(BigInt(low), BigInt(high), DELETE_STEP_ROWS)) +
        removeDeliveries.run(seq, DELETE_STEP_ROWS).changes +
        removeAttempts.run(seq, DELETE_STEP_ROWS).changes +
        removeSubmissions.run(seq, DELETE_STEP_ROWS).changes
      if (removed > 0) return { removedIssues, isFinished: false }
      removeCounters.run(seq)
      remove.run(seq)
      return { removedIssues, isFinished: true }
    },
  }
}
