import { encodeId, type IdPrefix, idToBytes } from '../model/ids.ts'

/**
 * AN OPERATION IS WRITTEN ONCE FOR BOTH DATABASES: a generator that yields statements and receives their results.
 * SQLite runs it to its end without waiting; PostgreSQL awaits each result.
 */
export type Operation<T> = Generator<Statement, T, Result>

/** SQL that both databases understand, with its values as `$1`, `$2`, …. The text is constant: it becomes a prepared statement. */
export interface Statement {
  readonly text: string
  readonly values: readonly Value[]
  /** Nothing depends on its result before the commit, so PostgreSQL does not wait for it. */
  readonly isSent?: true
  /** It only locks. SQLite has one writer and skips it; `FOR UPDATE` at the end of a query is left out there too. */
  readonly isLock?: true
}

export interface Result {
  readonly rows: readonly object[]
  /** Rows that were changed, or returned. */
  readonly count: number
}

export type Value = string | number | null | Uint8Array | StoredId

/** An id as a value: 16 bytes in SQLite, a UUID in PostgreSQL. */
export class StoredId {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

export function storedId(id: string): StoredId {
  return new StoredId(idToBytes(id))
}

/** The id in a column, as either database returns it. */
export function readId<P extends IdPrefix>(prefix: P, stored: unknown): `${P}_${string}` {
  const bytes = typeof stored === 'string' ? Buffer.from(stored.replaceAll('-', ''), 'hex') : stored
  return encodeId(prefix, bytes as Uint8Array)
}

/** Runs operations on a database. */
export interface Operations {
  read<A extends readonly unknown[], T>(operation: (...args: A) => Operation<T>, ...args: A): Promise<T>
  /** In one transaction; the promise settles after its commit. */
  write<A extends readonly unknown[], T>(operation: (...args: A) => Operation<T>, ...args: A): Promise<T>
}

export function* all<Row extends object>(text: string, ...values: Value[]): Operation<readonly Row[]> {
  const { rows } = yield { text, values }
  return rows as readonly Row[]
}

export function* one<Row extends object>(text: string, ...values: Value[]): Operation<Row | undefined> {
  const [row] = yield* all<Row>(text, ...values)
  return row
}

/** Runs a statement and returns how many rows it changed. */
export function* change(text: string, ...values: Value[]): Operation<number> {
  const { count } = yield { text, values }
  return count
}

/** Runs a statement whose result does not matter. If it fails, so does the transaction. */
export function* send(text: string, ...values: Value[]): Operation<void> {
  yield { text, values, isSent: true }
}

/** Until the commit, no other transaction writes to the table; reading goes on. */
export function* lockTable(table: string): Operation<void> {
  yield { text: `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`, values: [], isLock: true }
}

/** Tells every node, with the commit, that what it keeps in memory of projects, keys and people may have changed. */
export function* touchCatalog(): Operation<void> {
  yield* send('UPDATE catalog SET version = version + 1')
}
