import { encodeId, type IdPrefix, idToBytes, type ProjectId } from '../model/ids.ts'
import type { Texts } from './dialects.ts'
import type { GroupWrite } from './issues/group-writes.ts'
import type { Revocation } from './ports/issues.ts'

/**
 * AN OPERATION IS WRITTEN ONCE FOR BOTH DATABASES: a generator that yields statements and receives their results.
 * SQLite runs it to its end without waiting; PostgreSQL awaits each result.
 */
export type Operation<T> = Generator<Statement, T, Result>

/** SQL that both databases understand, with its values as `$1`, `$2`, …. The text is constant: it becomes a prepared statement. */
export interface Statement {
  readonly text: Text
  readonly values: readonly Value[]
  /** Nothing depends on its result before the commit, so PostgreSQL does not wait for it. */
  readonly isSent?: true
  /** Its values are marked by `?`, and there are many such texts: PostgreSQL does not prepare it. */
  readonly isAdHoc?: true
  /** Rows are lists of values, in the order of the columns, which takes half the time if there are many columns. */
  readonly areLists?: true
  /** Only PostgreSQL needs it. SQLite has one writer, so there is nothing to lock; `FOR UPDATE` at the end of a query is removed there too. */
  readonly isOnlyForPostgres?: true
}

/** One text for both databases, or one for each, from `forBoth`. */
export type Text = string | Texts

export interface Result {
  readonly rows: readonly object[]
  /** Rows that were changed, or returned. */
  readonly count: number
}

export type Value = string | number | bigint | null | Uint8Array | StoredId | StoredSeq | List

/** Several values as one: an array in PostgreSQL, JSON in SQLite. See `Dialect` for how to use it. */
export class List {
  readonly values: readonly (string | number | StoredId)[]

  constructor(values: readonly (string | number | StoredId)[]) {
    this.values = values
  }
}

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

/**
 * A project in service, named by its sequence number: the value for `Dialect.seq`. PostgreSQL finds the number before it runs the
 * statement, so that a cluster knows from the value where the rows are; SQLite finds it in the statement.
 */
export class StoredSeq {
  readonly id: ProjectId

  constructor(id: ProjectId) {
    this.id = id
  }
}

export function storedSeq(id: ProjectId): StoredSeq {
  return new StoredSeq(id)
}

/** The id in a column, as either database returns it. */
export function readId<P extends IdPrefix>(prefix: P, stored: unknown): `${P}_${string}` {
  const bytes = typeof stored === 'string' ? Buffer.from(stored.replaceAll('-', ''), 'hex') : stored
  return encodeId(prefix, bytes as Uint8Array)
}

/** Runs operations on a database. */
export interface Operations {
  read<A extends readonly unknown[], T>(operation: (...args: A) => Operation<T>, ...args: A): Promise<T>
  /** The same, for reads that may take long. SQLite runs them in a thread, in which projects take turns. */
  readLong<A extends readonly unknown[], T>(
    projectId: ProjectId,
    operation: (...args: A) => Operation<T>,
    ...args: A
  ): Promise<T>
  /** Together with other writes of the project; the promise settles after their commit. */
  writeInGroup<A extends readonly unknown[], T>(
    projectId: ProjectId,
    write: GroupWrite<A, T>,
    ...args: A
  ): Promise<T>
  /** The same, for a write that can be given up. */
  writeRevocably<A extends readonly unknown[], T>(
    group: { readonly projectId: ProjectId; readonly revocation: Revocation | undefined },
    write: GroupWrite<A, T>,
    ...args: A
  ): Promise<T>
  /** In one transaction; the promise settles after its commit. */
  write<A extends readonly unknown[], T>(operation: (...args: A) => Operation<T>, ...args: A): Promise<T>
  /** The same, for work that no client waits for: it never takes a connection that a report needs. */
  writeInBackground<A extends readonly unknown[], T>(
    operation: (...args: A) => Operation<T>,
    ...args: A
  ): Promise<T>
}

export function* all<Row extends object>(text: Text, ...values: Value[]): Operation<readonly Row[]> {
  const { rows } = yield { text, values }
  return rows as readonly Row[]
}

/** The rows as lists of values, in the order of the columns. */
export function* allLists<Row extends readonly unknown[]>(
  text: Text,
  ...values: Value[]
): Operation<readonly Row[]> {
  const { rows } = yield { text, values, areLists: true }
  return rows as readonly object[] as readonly Row[]
}

/** The rows of a query that is built at run time; none without a query. */
export function* allAdHoc<Row extends object>(query: AdHocQuery | null): Operation<readonly Row[]> {
  if (query === null) return []
  const { rows } = yield { ...query, isAdHoc: true }
  return rows as readonly Row[]
}

interface AdHocQuery {
  readonly text: string
  readonly values: readonly Value[]
}

export function* one<Row extends object>(text: Text, ...values: Value[]): Operation<Row | undefined> {
  const { rows } = yield { text, values }
  return rows[0] as Row | undefined
}

/** Runs a statement and returns how many rows it changed. */
export function* change(text: Text, ...values: Value[]): Operation<number> {
  const { count } = yield { text, values }
  return count
}

/** The same, if the database is PostgreSQL. */
export function* changeInPostgres(text: Text, ...values: Value[]): Operation<number> {
  const { count } = yield { text, values, isOnlyForPostgres: true }
  return count
}

/** Runs a statement whose result does not matter. If it fails, so does the transaction. */
export function* send(text: Text, ...values: Value[]): Operation<void> {
  yield { text, values, isSent: true }
}

/** Until the commit, no other transaction writes to the table; reads continue. */
export function* lockTable(table: string): Operation<void> {
  yield { text: `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`, values: [], isOnlyForPostgres: true }
}

/** The commit does not wait for the disk: a crash may undo it. */
export function* commitWithoutWaiting(): Operation<void> {
  yield { text: 'SET LOCAL synchronous_commit = off', values: [], isSent: true, isOnlyForPostgres: true }
}

/** Notifies every node, with the commit, that its cached projects, keys and people may have changed. */
export function* touchCatalog(): Operation<void> {
  yield* send('UPDATE catalog SET version = version + 1')
}
