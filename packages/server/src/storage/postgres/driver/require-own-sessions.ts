import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Connection, Connector } from './connector.ts'

/** Others that use the pooler may get in between, so one look is not enough. */
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

/** In words for the person who configured it. */
class SharedSessions extends Error {
  override readonly name = 'SharedSessions'

  constructor() {
    super(
      'It is behind a pooler that shares connections between transactions (PgBouncer with pool_mode = transaction or statement). Name PostgreSQL itself in BUGLE_DATABASE_URL, or set pool_mode = session.',
    )
  }
}

/** What one session sets, another one must not see, and it must still be there while the other is in a transaction. */
async function isShared(one: pg.Client, other: pg.Client): Promise<boolean> {
  const token = randomUUID()
  const read = async (client: pg.Client) =>
    (await client.query<{ value: string | null }>("SELECT current_setting('bugle.session', true) AS value"))
      .rows[0]?.value
  try {
    await one.query("SELECT set_config('bugle.session', $1, false)", [token])
    await other.query('BEGIN')
    // If there is only one connection to share, the first session would wait for the second: ask that one first.
    const isSeen = (await read(other)) === token || (await read(one)) !== token
    await other.query('ROLLBACK')
    return isSeen
  } catch (error) {
    // Where statements are shared, a transaction cannot begin.
    if (error instanceof pg.DatabaseError) return true
    throw error
  }
}
