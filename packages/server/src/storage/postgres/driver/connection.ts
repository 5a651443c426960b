import type pg from 'pg'
import type { Result } from '../../operations.ts'
import type { Connector, Pool } from './connector.ts'
import { isLockTimeout, isReadOnlyFault, toFault } from './faults.ts'

/** Connections for writes: each holds at most one project's lock, and reads cannot use them up. */
const MAX_WRITERS = 4
const MAX_READERS = 8
/** For background jobs: however long webhooks and their locks take, no report waits for a connection. */
const MAX_BACKGROUND = 2
/**
 * While the rows that commits write again fit on a page, PostgreSQL would rather scan their tables. It keeps such a plan until they are
 * analysed, and an old snapshot may have made them large by then.
 */
const BY_INDEX = { enable_seqscan: 'off' }

/** A statement and its values. One with a name is prepared once by each connection. */
export interface Query {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name?: string
  /** Whether rows are lists of values instead of objects. */
  readonly areLists?: true
  /** How long the result may take, if longer than usual. */
  readonly timeoutMs?: number
}

/** Names a statement so that it is prepared: for statements that are used often and whose text never changes. */
export function prepared(name: string, text: string): (...values: readonly unknown[]) => Query {
  return (...values) => ({ name, text, values })
}

/**
 * Changes the rows whose locations a query returns, whatever other indexes the table has: so even a plan made for an empty table uses the
 * index that the query is written for. On a cluster also within the project `$1`: other rows are at these locations on other nodes.
 */
export function preparedByLocation(name: string, change: string, query: string, condition = 'true') {
  const isLocated = `ctid = ANY (ARRAY(${query})) AND ${condition}`
  const anywhere = prepared(name, `${change} WHERE ${isLocated}`)
  const inProject = prepared(`${name}_in_project`, `${change} WHERE project = $1 AND ${isLocated}`)
  return (isCluster: boolean) => (isCluster ? inProject : anywhere)
}

/** Replaces each `?` with a numbered parameter, which both databases support. */
export function numbered(text: string, values: readonly unknown[]): Query {
  let place = 0
  return { text: text.replaceAll('?', () => `$${++place}`), values }
}

export interface Session {
  run<R extends object>(query: Query): Promise<R[]>
  /** The same, with the number of rows that were changed. */
  execute(query: Query): Promise<Result>
}

/** Statements in one transaction. */
export interface Transaction extends Session {
  /** Sends a statement whose result is not needed before the commit; if it fails, so does the commit. */
  send(query: Query): void
}

export interface Database extends Session {
  /** Runs statements in one write transaction; the promise settles after its commit. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Runs one statement as its own transaction; resolves after its commit. */
  write<R extends object>(query: Query): Promise<R[]>
  /** The same as {@link Database.transaction} for background work. */
  background<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Runs queries on one snapshot. */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function connect(connector: Connector): Database {
  const writers = connector.createPool(MAX_WRITERS, BY_INDEX)
  const readers = connector.createPool(MAX_READERS)
  const background = connector.createPool(MAX_BACKGROUND, BY_INDEX)

  return {
    run: async <R extends object>(query: Query) => (await runIn<R>(readers, query)).rows,
    execute: async (query) => toResult(await runIn(readers, query)),
    write: async <R extends object>(query: Query) => (await runIn<R>(writers, query)).rows,
    transaction: (work) => withClient(writers, (client) => inTransaction(client, 'BEGIN', work)),
    background: (work) => withClient(background, (client) => inTransaction(client, 'BEGIN', work)),
    snapshot: (work) =>
      withClient(readers, (client) =>
        inTransaction(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
      ),
    async close() {
      await Promise.all([writers.end(), readers.end(), background.end()])
    },
  }
}

async function runIn<R extends object>(pool: Pool, query: Query): Promise<pg.QueryResult<R>> {
  const client = await pool.acquire()
  try {
    const result = await client.query<R>(toConfig(query))
    client.release()
    return result
  } catch (error) {
    const fault = toFault(error)
    if (isLockTimeout(fault)) client.release()
    else pool.discard(client, fault)
    throw fault
  }
}

async function withClient<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.acquire()
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    if (isReadOnlyFault(error)) pool.discard(client, error)
    else
      await client.query('ROLLBACK').then(
        () => client.release(),
        () => pool.discard(client, error),
      )
    throw error
  }
}

async function inTransaction<T>(
  client: pg.PoolClient,
  begin: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const sent: Promise<unknown>[] = []
  let firstFault: Error | undefined
  // After a failed statement, all others fail with 25P02, which does not name the cause. Results arrive in order.
  const run = <R extends object>(config: string | pg.QueryConfig) =>
    client.query<R>(config).catch((error: unknown) => {
      firstFault ??= toFault(error)
      throw firstFault
    })
  const send = (config: string | pg.QueryConfig) => {
    const result = run(config)
    // Checked before the commit counts as successful.
    result.catch(ignore)
    sent.push(result)
  }
  send(begin)
  const result = await work({
    run: async <R extends object>(query: Query) => (await run<R>(toConfig(query))).rows,
    execute: async (query) => toResult(await run(toConfig(query))),
    send: (query) => send(toConfig(query)),
  })
  // After a failed statement, this rolls back.
  send('COMMIT')
  await Promise.all(sent)
  return result
}

function toResult({ rows, rowCount }: pg.QueryResult<object>): Result {
  return { rows, count: rowCount ?? 0 }
}

function toConfig({ text, values, name, areLists, timeoutMs }: Query): pg.QueryConfig {
  return {
    text,
    values: values as unknown[],
    ...(name !== undefined && { name }),
    ...(areLists && { rowMode: 'array' }),
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
  }
}

function ignore(): void {}
