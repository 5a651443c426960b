import { replacedSchema } from '../../maintenance/schema-versions.ts'
import { StorageUnavailable } from '../../storage.ts'
import { type Database, prepared, type Transaction } from '../driver/connection.ts'
import { isMissingTable } from '../driver/faults.ts'
import { findServiceFault, SCHEMA_VERSION, SELECT_VERSION } from './migrate.ts'

/** Until the transaction ends, no migration that excludes this release can begin. Before the version is read: the lock may have to wait for one. */
const KEEP_SCHEMA = prepared('keep_schema', 'LOCK TABLE schema_version IN ROW SHARE MODE')

/**
 * Write transactions fail unless this release can use the schema, which another release or a restore may have replaced. The version
 * arrives with the results of the first statement, so this takes no round trip. `write` is left as it is: its statement checks the schema itself.
 */
export function guardWrites(database: Database): Database {
  let accepted = SCHEMA_VERSION

  async function readVersion(tx: Transaction): Promise<number> {
    tx.send(KEEP_SCHEMA())
    const [row] = await tx.run<{ version: number }>(SELECT_VERSION()).catch((error: unknown) => {
      if (isMissingTable(error)) throw new StorageUnavailable(replacedSchema(0, SCHEMA_VERSION))
      throw error
    })
    return row?.version ?? 0
  }

  function guarded<T>(work: (tx: Transaction) => Promise<T>): (tx: Transaction) => Promise<T> {
    return async (tx) => {
      const [version, result] = await Promise.allSettled([readVersion(tx), work(tx)])
      // If both failed, the schema is the cause.
      if (version.status === 'rejected') throw version.reason
      if (version.value !== accepted) {
        const fault = await findServiceFault(tx)
        if (fault !== undefined) throw new StorageUnavailable(fault)
        accepted = version.value
      }
      if (result.status === 'rejected') throw result.reason
      return result.value
    }
  }

  return {
    ...database,
    transaction: (work) => database.transaction(guarded(work)),
    background: (work) => database.background(guarded(work)),
  }
}
