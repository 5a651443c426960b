import type pg from 'pg'

const STATEMENT_TIMEOUT_MS = 10_000
/** How long a write waits for another node's transaction before it fails. */
const LOCK_TIMEOUT_MS = 5_000
/** A disconnected node loses its locks after this time. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000

/**
 * There is an index for every order that is used, and JIT compilation takes longer than any of our queries.
 * PostgreSQL usually finds that out itself, but for tables that have grown since they were last analysed it
 * may prefer to sort a whole project. Rows are in memory or on flash, where reading all rows of a project
 * sequentially is no cheaper than reading some of them at random.
 */
const PLANNER = { enable_sort: 'off', random_page_cost: '1.1', jit: 'off' }

const TIMEOUTS_MS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
}

/** What is detected when a session starts. */
export interface SessionState {
  /** On a replica, or if `default_transaction_read_only` is set. */
  readonly isReadOnly: boolean
  /** Whether a pooler such as PgBouncer is in between. */
  readonly isPooled: boolean
}

/** Prepares a new connection; the settings of the address are merged with ours. */
export function createSessionSetUp(
  given: ReadonlyMap<string, string>,
  own: Readonly<Record<string, string>> = {},
): (client: pg.Client) => Promise<SessionState> {
  const settings = mergeSettings(given, own)
  // With a statement, because PgBouncer refuses settings in the startup message.
  const set = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`)
  const text = `SELECT ${set.join(', ')}, current_setting('transaction_read_only') = 'on' AS is_read_only,
    pg_backend_pid() AS pid`
  return async (client) => {
    const { rows } = await client.query<{ is_read_only: boolean; pid: number }>(text, settings.flat())
    const [row] = rows
    // A pooler reports an invented process id to its clients.
    const { processID } = client as unknown as { readonly processID: number }
    return { isReadOnly: row?.is_read_only === true, isPooled: row?.pid !== processID }
  }
}

/** Of two timeouts the shorter one applies. Other settings in the address take precedence. */
export function mergeSettings(
  given: ReadonlyMap<string, string>,
  own: Readonly<Record<string, string>> = {},
): readonly (readonly [string, string])[] {
  return [
    // At any other level, writes that wait for each other fail instead of continuing.
    ['default_transaction_isolation', 'read committed'],
    ...Object.entries({ ...PLANNER, ...own }).filter(([name]) => !given.has(name)),
    ...Object.entries(TIMEOUTS_MS).map(([name, ours]) => {
      const theirs = millisecondsIn(given.get(name) ?? '')
      // In PostgreSQL, 0 means no timeout.
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
