import pg from 'pg'
import { toFault } from './faults.ts'

/** Connections that write: each holds one project's lock at most, and reads can not take them all. */
const MAX_WRITERS = 4
const MAX_READERS = 8
/** For what runs by itself: however long webhooks and their locks take, no report waits for a connection. */
const MAX_BACKGROUND = 2
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
/** A connection that says nothing for this long, not even that time is over, is given up. */
const SILENCE_TIMEOUT_MS = 15_000
/** How long a write waits for another node's transaction before it fails. */
const LOCK_TIMEOUT_MS = 5_000
/** A node that is cut off lets go of its locks after this long. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000

/**
 * Indexes have every order that we ask for, and compiling takes longer than any of our queries. PostgreSQL knows that
 * too, but for tables that have grown and were not analysed since: there it may prefer to sort all of a project. Rows
 * are in memory or on flash, where going through all rows of a project is no cheaper than going to some of them.
 */
const PLANNER_OPTIONS = '-c enable_sort=off -c random_page_cost=1.1 -c jit=off'

/** A statement and its values. One with a name is prepared once by each connection. */
export interface Query {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name?: string
  /** How long the answer may take, if that is longer than usual. */
  readonly timeoutMs?: number
}

/** Gives a statement its name: for those that are used often and whose text never changes. */
export function prepared(name: string, text: string): (...values: readonly unknown[]) => Query {
  return (...values) => ({ name, text, values })
}

/** Numbers the places that are marked with `?`, as both databases understand them in our shared texts. */
export function numbered(text: string, values: readonly unknown[]): Query {
  let place = 0
  return { text: text.replaceAll('?', () => `$${++place}`), values }
}

export interface Session {
  run<R extends object>(query: Query): Promise<R[]>
}

/** Statements that are stored together or not at all. */
export interface Transaction extends Session {
  /** Sends a statement whose result nobody needs before the commit; if it fails, so does the commit. */
  send(query: Query): void
}

export interface Database extends Session {
  /** Runs statements in one write transaction; the promise settles after its commit. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Runs one statement that is a transaction by itself; the promise settles after its commit. */
  write<R extends object>(query: Query): Promise<R[]>
  /** The same as {@link Database.transaction} for work that nobody waits for. */
  background<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Runs queries that all see the same moment. */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function connect(url: string): Database {
  const writers = createPool(url, MAX_WRITERS)
  const readers = createPool(url, MAX_READERS)
  const background = createPool(url, MAX_BACKGROUND)

  const runIn =
    (pool: pg.Pool) =>
    async <R extends object>(query: Query) =>
      (await pool.query<R>(toConfig(query)).catch(rethrowFault)).rows

  return {
    run: runIn(readers),
    write: runIn(writers),
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

/** The settings of one connection, also for those outside of the pools. */
export function connectionSettings(url: string): pg.ClientConfig {
  // Missing from the driver's types.
  const together: object = { pipeline: true }
  return {
    // Statements that do not wait for each other's results travel together.
    ...together,
    connectionString: url,
    application_name: 'bugle',
    options: PLANNER_OPTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  }
}

function createPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ ...connectionSettings(url), max })
  // A connection that breaks is dropped by the pool, and whoever was using it hears of it from its query; without these
  // two listeners the same news would end the process.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

function ignore(): void {}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(rethrowFault)
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
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
  // After a statement that failed, all others fail with 25P02, which says nothing about the cause. Results arrive in order.
  const run = <R extends object>(config: string | pg.QueryConfig) =>
    client.query<R>(config).catch((error: unknown) => {
      firstFault ??= toFault(error)
      throw firstFault
    })
  const send = (config: string | pg.QueryConfig) => {
    const result = run(config)
    // Looked at before the commit is believed.
    result.catch(ignore)
    sent.push(result)
  }
  send(begin)
  const result = await work({
    run: async <R extends object>(query: Query) => (await run<R>(toConfig(query))).rows,
    send: (query) => send(toConfig(query)),
  })
  // After a statement that failed, this rolls back.
  send('COMMIT')
  await Promise.all(sent)
  return result
}

function rethrowFault(error: unknown): never {
  throw toFault(error)
}

function toConfig({ text, values, name, timeoutMs }: Query): pg.QueryConfig {
  return {
    text,
    values: values as unknown[],
    ...(name !== undefined && { name }),
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
  }
}

const INT8 = pg.types.builtins.INT8

/** Whole numbers of eight bytes are numbers: what we store stays far below 2⁵³. */
const parserOf: typeof pg.types.getTypeParser = (...args: Parameters<typeof pg.types.getTypeParser>) =>
  args[0] === INT8 ? Number : pg.types.getTypeParser(...args)
