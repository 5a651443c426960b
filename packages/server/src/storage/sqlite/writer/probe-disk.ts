import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { IN_MEMORY } from '../driver/connection.ts'
import { StorageFull } from '../driver/faults.ts'
import { prepareCommand } from '../driver/statements.ts'

/** Several times the size of the largest report. */
const LEAST_FREE_BYTES = 2 * 2 ** 20

/** Called in a transaction: checks that a report could be stored now. It writes the value that was there before. */
export function prepareProbe(db: DatabaseSync, path: string): () => void {
  // An unchanged value would not be written at all.
  const writes = ['+ 1', '- 1'].map((step) =>
    prepareCommand(db, `UPDATE catalog SET version = version ${step}`),
  )
  return () => {
    // Free space in the log or in a page does not mean that the disk has space.
    if (path !== IN_MEMORY && freeBytesAt(path) < LEAST_FREE_BYTES) throw new StorageFull('The disk is full.')
    for (const write of writes) write.run()
  }
}

function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize
}
