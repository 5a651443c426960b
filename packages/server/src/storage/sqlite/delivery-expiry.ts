import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryStatus } from '@bugle/contract/vocabulary'
import { MAX_PENDING_DELIVERIES } from '../../model/decisions/plan-fan-out.ts'
import { idToBytes, type ProjectId } from '../../model/ids.ts'
import { keyRange } from './row-keys.ts'
import { prepareCommand } from './statements.ts'

/** Deliveries let go of in one step, so that submissions get in between. */
const EXPIRE_STEP_ROWS = 500

/** Letting go of old deliveries, and of those whose webhook is gone, as it runs in the writer. What is pending stays. */
export function prepareDeliveryExpiry(db: DatabaseSync) {
  const selectProject = db.prepare('SELECT seq FROM projects WHERE id = ?')
  const selectNextWebhook = db.prepare(
    `SELECT d.webhook_row AS row, w.row IS NOT NULL AS is_kept FROM deliveries d
     LEFT JOIN webhooks w ON w.row = d.webhook_row
     WHERE d.webhook_row > ? AND d.webhook_row < ? ORDER BY d.webhook_row LIMIT 1`,
  )
  const selectOldest = db.prepare(
    'SELECT position, status, created_at FROM deliveries WHERE webhook_row = ? ORDER BY position LIMIT ?',
  )
  const removals = ['attempts', 'deliveries'].map((table) =>
    prepareCommand(db, `DELETE FROM ${table} WHERE webhook_row = ? AND position = ?`),
  )

  function* webhookRows({ low, high }: ReturnType<typeof keyRange>): Generator<WebhookPlace> {
    for (let after = low; ; ) {
      const place = selectNextWebhook.get(after, high) as WebhookPlace | undefined
      if (place === undefined) return
      yield place
      after = place.row
    }
  }

  /** Positions follow time, so the old ones are the first, but for those that still wait. */
  function oldOnesOf({ row, is_kept: isKept }: WebhookPlace, before: number): readonly number[] {
    const rows = selectOldest.all(row, MAX_PENDING_DELIVERIES + EXPIRE_STEP_ROWS) as unknown as DeliveryRow[]
    return rows
      .filter(({ status, created_at: at }) => isKept === 0 || (status !== 'pending' && at < before))
      .map(({ position }) => position)
  }

  return {
    expireSomeDeliveries(projectId: ProjectId, before: number): boolean {
      const project = selectProject.get(idToBytes(projectId)) as { seq: number } | undefined
      if (project === undefined) return false
      let room = EXPIRE_STEP_ROWS
      for (const place of webhookRows(keyRange(project.seq))) {
        const old = oldOnesOf(place, before).slice(0, room)
        for (const position of old) for (const removal of removals) removal.run(place.row, position)
        room -= old.length
        if (room === 0) return true
      }
      return false
    },
  }
}

interface WebhookPlace {
  readonly row: number
  /** 0 if the webhook was deleted. */
  readonly is_kept: number
}

interface DeliveryRow {
  readonly position: number
  readonly status: DeliveryStatus
  readonly created_at: number
}
