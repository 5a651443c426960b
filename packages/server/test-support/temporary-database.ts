import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { temporaryFolder } from './temporary-folder.ts'

export interface TemporaryDatabase extends AsyncDisposable {
  readonly url: string
}

/** An empty database that other processes can open too, gone when the scope ends: of the kind that the tests run on. */
export async function temporaryDatabase(): Promise<TemporaryDatabase> {
  if (process.env['BUGLE_TEST_DATABASE'] === 'postgres') return temporaryPostgresDatabase()
  const folder = temporaryFolder()
  return {
    url: `sqlite:${join(folder.path, 'bugle.db')}`,
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  }
}

/** The same, on the PostgreSQL server of the test run. */
export async function temporaryPostgresDatabase(): Promise<TemporaryDatabase> {
  const server = process.env['BUGLE_TEST_POSTGRES_URL']
  if (!server) throw new Error('BUGLE_TEST_POSTGRES_URL is not set: see test-support/start-postgres.ts')
  const name = `bugle_${randomBytes(8).toString('hex')}`
  await run(server, `CREATE DATABASE ${name} TEMPLATE template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => run(server, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

async function run(server: string, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(command)
  await client.end()
}
