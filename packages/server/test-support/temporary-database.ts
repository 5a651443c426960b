import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { temporaryFolder } from './temporary-folder.ts'

export interface TemporaryDatabase extends AsyncDisposable {
  readonly url: string
}

/** A database without projects that other processes can open too, deleted when the scope ends; of the kind that the tests run on. */
export async function temporaryDatabase(): Promise<TemporaryDatabase> {
  if (process.env['BUGLE_TEST_DATABASE'] === 'postgres') return temporaryPostgresDatabase()
  const folder = temporaryFolder()
  return {
    url: `sqlite:${join(folder.path, 'bugle.db')}`,
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  }
}

/** The same, on the PostgreSQL server of the test run; it is already migrated. */
export function temporaryPostgresDatabase(): Promise<TemporaryDatabase> {
  return temporaryCopy(setting('BUGLE_TEST_POSTGRES_TEMPLATE'))
}

/** A database that was never opened before. */
export function emptyPostgresDatabase(): Promise<TemporaryDatabase> {
  return temporaryCopy('template0')
}

async function temporaryCopy(template: string): Promise<TemporaryDatabase> {
  const name = await createDatabase(template)
  return { url: urlOf(name), [Symbol.asyncDispose]: () => dropDatabase(name) }
}

/** Copies a database that has no connections, and returns the name of the copy. */
export async function createDatabase(template: string): Promise<string> {
  const name = `bugle_${randomBytes(8).toString('hex')}`
  await run(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  return name
}

export function dropDatabase(name: string): Promise<void> {
  return run(`DROP DATABASE ${name} WITH (FORCE)`)
}

/** The address of a database on the PostgreSQL server of the test run. On a busy machine it may take long to connect. */
export function urlOf(name: string): string {
  const url = new URL(setting('BUGLE_TEST_POSTGRES_URL'))
  url.pathname = `/${name}`
  url.searchParams.set('connect_timeout', '60')
  return url.href
}

let pool: pg.Pool | undefined

async function run(command: string): Promise<void> {
  while (!(await isDone(command)));
}

/** Keeps its connections, because each one is a process of PostgreSQL, which takes long to start. */
function commandPool(): pg.Pool {
  if (pool !== undefined) return pool
  const connectionString = setting('BUGLE_TEST_POSTGRES_URL')
  pool = new pg.Pool({ connectionString, max: 3, idleTimeoutMillis: 60_000, allowExitOnIdle: true })
  // The server may be stopped before this process ends. The next command opens another connection.
  pool.on('error', () => undefined)
  return pool
}

/** On a busy machine, connections that were closed may take longer to end than PostgreSQL waits for them. */
async function isDone(command: string): Promise<boolean> {
  try {
    await commandPool().query(command)
    return true
  } catch (error) {
    const isStillInUse = error instanceof pg.DatabaseError && error.code === '55006'
    if (!isStillInUse) throw error
    return false
  }
}

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: see test-support/set-up-postgres.ts`)
  return value
}
