import type { DatabaseSync } from 'node:sqlite'
import type { BulkRecord } from '../../../model/bulk-changes.ts'
import {
  FIND_BULK_CHANGE,
  INSERT_BULK_CHANGE,
  keptSince,
  REMOVE_BULK_CHANGES,
} from '../../issues/bulk/bulk-rows.ts'
import type { NewBulkChange } from '../../issues/issue-tables.ts'
import { prepareText } from '../driver/run-operations.ts'

/** The bulk changes that were made. */
export function prepareBulkChanges(db: DatabaseSync) {
  const find = prepareText(db, FIND_BULK_CHANGE)
  const insert = prepareText(db, INSERT_BULK_CHANGE)
  const remove = prepareText(db, REMOVE_BULK_CHANGES)
  return {
    find: (project: number, id: string) => find(project, id).rows[0] as BulkRecord | undefined,
    insert(project: number, { id, contentHash, matched, changed, at }: NewBulkChange): void {
      remove(project, keptSince(at))
      insert(project, id, contentHash, matched, changed, at)
    },
  }
}
