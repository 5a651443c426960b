import { DatabaseSync } from 'node:sqlite'
import { SCHEMA_VERSION as POSTGRES_VERSION } from '../src/storage/postgres/migrations/migrate.ts'
import { SCHEMA_VERSION as SQLITE_VERSION } from '../src/storage/sqlite/migrations/migrate.ts'
import { withClient } from './with-client.ts'

/** The schema version of a release that does not exist yet. */
export const NEWER_SCHEMA = 999

/** Changes a database as a newer release would, without a change to its tables. `oldest`: the oldest schema version that may use it. */
export async function markNewer(url: string, oldest = NEWER_SCHEMA): Promise<void> {
  await setVersion(url, NEWER_SCHEMA, oldest)
}

/** As after a restore of a database that is `age` versions older, without a change to its tables. */
export async function markOlder(url: string, age: number): Promise<void> {
  await setVersion(url, currentVersion(url) - age, 1)
}

/** The schema version of this release. */
export function currentVersion(url: string): number {
  return url.startsWith('sqlite:') ? SQLITE_VERSION : POSTGRES_VERSION
}

async function setVersion(url: string, version: number, oldest: number): Promise<void> {
  const setOldest = `UPDATE catalog SET oldest_schema = ${oldest}`
  if (url.startsWith('sqlite:')) {
    using db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 })
    db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; ${setOldest}; COMMIT`)
    return
  }
  await withClient(url, (client) =>
    client.query(`BEGIN; UPDATE schema_version SET version = ${version}; ${setOldest}; COMMIT`),
  )
}
