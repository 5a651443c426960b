import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isTransient, StorageFull } from './faults.ts'
import { prepareCommand } from './statements.ts'

/** Several times what the largest report takes. */
const LEAST_FREE_BYTES = 2 * 2 ** 20

/** What the last writes said about the disk: after one that failed for want of it, an empty commit is no proof. */
export interface Trouble {
  /** Called after each commit that failed. */
  suspect(error: unknown): void
  /** Called in a transaction: shows that something can be stored again; costs nothing while all is well. */
  dispel(): void
}

export function watchForTrouble(db: DatabaseSync, path: string): Trouble {
  const rewrite = prepareCommand(db, 'UPDATE catalog SET version = version')
  let isSuspected = false
  return {
    suspect(error) {
      isSuspected ||= isTransient(error)
    },
    dispel() {
      if (!isSuspected) return
      const { bavail, bsize } = statfsSync(dirname(path))
      // A page or two may fit where no report does.
      if (bavail * bsize < LEAST_FREE_BYTES) throw new StorageFull('The disk is full.')
      rewrite.run()
      isSuspected = false
    },
  }
}
