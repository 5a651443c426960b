import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Connection, Connector } from './connector.ts'

/** Other clients of the pooler may interfere, so one check is not enough. */
const LOOKS = 3

/**
 * Fails if a pooler, such as PgBouncer, hands connections to others between our transactions: notifications, settings and
 * prepared statements belong to a connection. One that hands them out by session is fine.
 */
export async function requireOwnSessions(connector: Connector, first: Connection): Promise<void> {
  if (!first.state.isPooled) return
  const second = await connector.connect()
  try {
    for (let look = 0; look < LOOKS; look++) {
      if (await isShared(first.client, second.client)) throw new SharedSessions()
    }
  } finally {
    await second.client.end()
  }
}

/** A message for the operator. */
class SharedSessions extends Error {
  override readonly name = 'SharedSessions'

  constructor() {
    super(
      'It is behind a pooler that shares connections between transactions (PgBouncer with pool_mode = transaction or statement). Set BUGLE_DATABASE_URL to PostgreSQL itself, or set pool_mode = session.',
    )
  }
}

/** A setting of one session must not be visible in another, and must still be set while the other is in a transaction. */
async function isShared(one: pg.Client, other: pg.Client): Promise<boolean> {
  const token = randomUUID()
  const read = async (client: pg.Client) =>
    (await client.query<{ value: string | null }>("SELECT current_setting('bugle.session', true) AS value"))
      .rows[0]?.value
  try {
    await one.query("SELECT set_config('bugle.session', $1, false)", [token])
    await other.query('BEGIN')
    // If there is only one shared connection, the first session would wait for the second, so the second one is checked first.
    const isSeen = (await read(other)) === token || (await read(one)) !== token
    await other.query('ROLLBACK')
    return isSeen
  } catch (error) {
    // If single statements are pooled, a transaction cannot begin.
    if (error instanceof pg.DatabaseError) return true
    throw error
  }
}
