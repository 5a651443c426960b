import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../packages/server/test-support/start-postgres.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'

export const DATABASE_KINDS = ['sqlite', 'postgres'] as const
export type DatabaseKind = (typeof DATABASE_KINDS)[number]

/** An empty database for one run of the fuzzer. */
export interface FuzzDatabase extends AsyncDisposable {
  readonly url: string
  /** Starts watching it, once its tables exist. */
  watch(): Promise<CommitWatch>
}

/** Detects writes of other connections to the database. */
export interface CommitWatch extends AsyncDisposable {
  /** Changes whenever something was written. */
  version(): Promise<number>
  /** Resolves to the version once nothing has been written for a moment. */
  quiet(): Promise<number>
}

export function createFuzzDatabase(kind: DatabaseKind): Promise<FuzzDatabase> {
  return kind === 'sqlite' ? createSqliteDatabase() : createPostgresDatabase()
}

async function createSqliteDatabase(): Promise<FuzzDatabase> {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  return {
    url: `sqlite:${path}`,
    async watch() {
      const db = new DatabaseSync(path, { readOnly: true })
      const select = db.prepare('PRAGMA data_version')
      return createWatch({
        version: async () => (select.get() as { data_version: number }).data_version,
        close: async () => db.close(),
      })
    },
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  }
}

/** Commits are synchronous, because the decoded log must be complete when a response arrives. */
const POSTGRES_SETTINGS = ['fsync=off', 'full_page_writes=off', 'wal_level=logical', 'autovacuum=off']
const SLOT = 'fuzz'

/** A separate server, because others would write too. */
async function createPostgresDatabase(): Promise<FuzzDatabase> {
  const server = await startPostgres({ settings: POSTGRES_SETTINGS })
  return {
    url: server.url,
    async watch() {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query("SELECT pg_create_logical_replication_slot($1, 'test_decoding')", [SLOT])
      return createWatch({ version: countChanges(client), close: () => client.end() })
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

/** Counts rows that were written, by decoding the log. A transaction that only locks rows, or rolls back, writes none. */
function countChanges(client: pg.Client): () => Promise<number> {
  let snapshot = ''
  let changes = 0

  async function readOne<T>(query: string): Promise<T> {
    const { rows } = await client.query<{ value: T }>(query)
    const [row] = rows
    if (row === undefined) throw new Error(`nothing was returned for ${query}`)
    return row.value
  }

  return async () => {
    // Most requests start no write transaction, and decoding is slow.
    const current = await readOne<string>('SELECT pg_current_snapshot()::text AS value')
    if (current !== snapshot)
      changes += await readOne<number>(
        // Each node updates its own row, regardless of requests.
        `SELECT count(*)::integer AS value
         FROM pg_logical_slot_get_changes('${SLOT}', NULL, NULL, 'skip-empty-xacts', '1')
         WHERE starts_with(data, 'table ') AND NOT starts_with(data, 'table public.nodes:')`,
      )
    snapshot = current
    return changes
  }
}

const QUIET_MS = 20
const QUIET_PATIENCE_MS = 60_000

interface Observed {
  version(): Promise<number>
  close(): Promise<void>
}

function createWatch({ version, close }: Observed): CommitWatch {
  return {
    version,
    async quiet() {
      const deadline = performance.now() + QUIET_PATIENCE_MS
      for (let last = await version(); performance.now() < deadline; last = await version()) {
        await sleep(QUIET_MS)
        if ((await version()) === last) return last
      }
      throw new Error('the server writes on and on, though nobody asks it to')
    },
    [Symbol.asyncDispose]: close,
  }
}
