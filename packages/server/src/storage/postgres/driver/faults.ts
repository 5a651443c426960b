import pg from 'pg'
import { StorageUnavailable } from '../../storage.ts'

/**
 * SQLSTATEs of external faults. Classes: 08 connection, 53 out of resources, 57P shut down. Codes: 57014
 * statement timeout, 55P03 lock timeout, 25006 read-only (a replica), 25P03 idle in transaction, 40001 and 40P01 a conflict between transactions.
 */
const TRANSIENT = /^(?:08...|53...|57P..|57014|55P03|25006|25P03|40001|40P01)$/
/** Citus reports the loss of a worker with the code of an internal error, so only the message tells them apart. */
const INTERNAL_ERROR = 'XX000'
const LOST_WORKER = 'failure on connection marked as essential'
const READ_ONLY = '25006'
const LOCK_TIMEOUT = '55P03'

/** What to tell operators, by SQLSTATE. In all other cases there is no connection. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^25006$/, 'The database accepts no writes.'],
  [/^53100$/, 'The disk of the database is full.'],
  [/^53/, 'The database has no resources left.'],
  [/^55P03$/, 'Another transaction held a lock for too long.'],
  [/^57014$/, 'A statement took too long.'],
  [/^40/, 'The transaction conflicted with another one.'],
]

/** What a failed query means to the service. */
export function toFault(error: unknown): Error {
  if (error instanceof StorageUnavailable) return error
  // A value that the driver cannot send is a bug; every other error without a SQLSTATE is a connection error.
  const isBug = error instanceof TypeError || error instanceof RangeError || !(error instanceof Error)
  const isTransient = error instanceof pg.DatabaseError ? isTransientCode(error) : !isBug
  if (isTransient) return new StorageUnavailable(messageFor(codeOf(error)), { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}

function isTransientCode({ code = '', message }: pg.DatabaseError): boolean {
  return TRANSIENT.test(code) || (code === INTERNAL_ERROR && message.includes(LOST_WORKER))
}

/** Whether the server accepts no writes: it is a replica, or set to read-only. */
export function isReadOnlyFault(error: unknown): boolean {
  return error instanceof StorageUnavailable && codeOf(error.cause) === READ_ONLY
}

/** Whether another transaction held a lock for longer than the timeout. */
export function isLockTimeout(error: unknown): error is StorageUnavailable {
  return error instanceof StorageUnavailable && codeOf(error.cause) === LOCK_TIMEOUT
}

/** For a server that is known to accept no writes. */
export function readOnlyFault(host: string): StorageUnavailable {
  const reason = `${host} is a replica, or default_transaction_read_only is on`
  return new StorageUnavailable(messageFor(READ_ONLY), { cause: new Error(reason) })
}

/** Whether a table does not exist. */
export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === '42P01'
}

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

function messageFor(code = ''): string {
  const [, message] = MESSAGES.find(([codes]) => codes.test(code)) ?? []
  return message ?? 'The database is unreachable.'
}
