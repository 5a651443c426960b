import { constants, setPriority } from 'node:os'
import { type BackupOrder, makeBackup } from '../../backups/make-backup.ts'

/** The process that makes a scheduled backup: it receives an order, and sends the backup, or why there is none. */
process.once('message', (order: BackupOrder) => {
  lowerPriority()
  makeBackup(order)
    .then((made) => ({ made }))
    .catch((error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }))
    .then((outcome) => process.send?.(outcome, () => process.exit(0)))
})
// The server has ended. What is left is a part, which the next backup removes. An exit would wait for a read that is in progress.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Some containers forbid it. A backup that takes processor time from requests is better than none.
  }
}
