import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** The schema version of a release that does not exist yet. */
export const NEWER_SCHEMA = 999

/** Changes a database as a newer release would, without a change to its tables. `oldest`: the oldest schema version that may use it. */
export async function markNewer(url: string, oldest = NEWER_SCHEMA): Promise<void> {
  if (url.startsWith('sqlite:')) {
    using db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 })
    db.exec(
      `BEGIN; PRAGMA user_version = ${NEWER_SCHEMA}; UPDATE catalog SET oldest_schema = ${oldest}; COMMIT`,
    )
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `BEGIN; UPDATE schema_version SET version = ${NEWER_SCHEMA}; UPDATE catalog SET oldest_schema = ${oldest}; COMMIT`,
  )
  await client.end()
}
