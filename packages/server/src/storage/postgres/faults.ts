import pg from 'pg'
import { StorageUnavailable } from '../storage.ts'

/**
 * SQLSTATEs of a fault of the surroundings. Classes: 08 connection, 53 out of resources, 57P shut down. Codes: 57014
 * statement timeout, 55P03 lock timeout, 25006 read-only (a replica), 25P03 idle in transaction, 40001 and 40P01 a clash.
 */
const TRANSIENT = /^(?:08...|53...|57P..|57014|55P03|25006|25P03|40001|40P01)$/

/** What a failed query means to the service. */
export function toFault(error: unknown): Error {
  if (error instanceof StorageUnavailable) return error
  // A value that the driver can not send is a mistake of ours; every other fault without a SQLSTATE is one of the connection.
  const isBug = error instanceof TypeError || error instanceof RangeError || !(error instanceof Error)
  const isTransient = error instanceof pg.DatabaseError ? TRANSIENT.test(error.code ?? '') : !isBug
  if (isTransient) return new StorageUnavailable('The database can not be reached now.', { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}
