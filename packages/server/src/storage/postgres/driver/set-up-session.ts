import type pg from 'pg'

const STATEMENT_TIMEOUT_MS = 10_000
/** How long a write waits for another node's transaction before it fails. */
const LOCK_TIMEOUT_MS = 5_000
/** A node that is cut off lets go of its locks after this long. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000

/**
 * Indexes have every order that we ask for, and compiling takes longer than any of our queries. PostgreSQL knows that
 * too, but for tables that have grown and were not analysed since: there it may prefer to sort all of a project. Rows
 * are in memory or on flash, where going through all rows of a project is no cheaper than going to some of them.
 */
const PLANNER = { enable_sort: 'off', random_page_cost: '1.1', jit: 'off' }

const TIMEOUTS_MS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
}

/** What is found when a session begins. */
export interface SessionState {
  /** On a replica, or where `default_transaction_read_only` is set. */
  readonly isReadOnly: boolean
  /** Whether something between us and the server, such as PgBouncer, answered for it. */
  readonly isPooled: boolean
}

/** Prepares a new connection; the settings of the address are merged with ours. */
export function createSessionSetUp(
  given: ReadonlyMap<string, string>,
): (client: pg.Client) => Promise<SessionState> {
  const settings = mergeSettings(given)
  // By a statement: PgBouncer refuses connections that ask for settings when they begin.
  const set = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`)
  const text = `SELECT ${set.join(', ')}, current_setting('transaction_read_only') = 'on' AS is_read_only,
    pg_backend_pid() AS pid`
  return async (client) => {
    const { rows } = await client.query<{ is_read_only: boolean; pid: number }>(text, settings.flat())
    const [row] = rows
    // A pooler makes up the number that it tells its clients.
    const { processID } = client as unknown as { readonly processID: number }
    return { isReadOnly: row?.is_read_only === true, isPooled: row?.pid !== processID }
  }
}

/** Of two timeouts the shorter one applies. What else the address sets, it sets for good. */
export function mergeSettings(given: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [
    // Under any other level, writes that wait for each other fail instead of going on.
    ['default_transaction_isolation', 'read committed'],
    ...Object.entries(PLANNER).filter(([name]) => !given.has(name)),
    ...Object.entries(TIMEOUTS_MS).map(([name, ours]) => {
      const theirs = millisecondsIn(given.get(name) ?? '')
      // To PostgreSQL, 0 is no timeout.
      return [name, String(theirs > 0 ? Math.min(ours, theirs) : ours)] as const
    }),
  ]
}

const UNITS_MS: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** As PostgreSQL reads it: `2000`, `2s`. */
function millisecondsIn(text: string): number {
  const [, number = '0', unit = 'ms'] = /^\s*(\d+(?:\.\d+)?)\s*(us|ms|s|min|h|d)?\s*$/.exec(text) ?? []
  return Math.round(Number(number) * (UNITS_MS[unit] ?? 1))
}
