import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { temporaryFolder } from './temporary-folder.ts'

export interface TemporaryDatabase extends AsyncDisposable {
  readonly url: string
}

/** A database without projects that other processes can open too, deleted when the scope ends; of the kind that the tests run on. */
export async function temporaryDatabase(): Promise<TemporaryDatabase> {
  return process.env['BUGLE_TEST_DATABASE'] === 'postgres'
    ? temporaryPostgresDatabase()
    : temporarySqliteDatabase()
}

/** The same, always on SQLite. */
export async function temporarySqliteDatabase(): Promise<TemporaryDatabase> {
  const folder = temporaryFolder()
  return {
    url: `sqlite:${join(folder.path, 'bugle.db')}`,
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  }
}

/** The same, on the PostgreSQL server of the test run; it is already migrated. */
export async function temporaryPostgresDatabase(): Promise<TemporaryDatabase> {
  return temporary(await preparedCopy())
}

/** A database that was never opened before. */
export async function emptyPostgresDatabase(): Promise<TemporaryDatabase> {
  return temporary(await copyOf('template0'))
}

function temporary(name: string): TemporaryDatabase {
  return { url: urlOf(name), [Symbol.asyncDispose]: async () => dropLater(name) }
}

let nextCopy: Promise<string> | undefined

/** Copied while the previous test ran. Each copy is used once. */
function preparedCopy(): Promise<string> {
  const template = setting('BUGLE_TEST_POSTGRES_TEMPLATE')
  const copy = nextCopy ?? copyOf(template)
  nextCopy = copyOf(template)
  // The next caller gets this error; here it would be an unhandled rejection.
  nextCopy.catch(() => undefined)
  return copy
}

/** All databases of a run start with the name of the template, so that leftovers can be found. */
async function copyOf(template: string): Promise<string> {
  const name = `${setting('BUGLE_TEST_POSTGRES_TEMPLATE')}_${randomBytes(6).toString('hex')}`
  await createDatabase(name, template)
  return name
}

/** Copies a database that has no connections: its files, which takes an eighth of the CPU time of copying through the log. */
export function createDatabase(name: string, template: string): Promise<void> {
  return run(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
}

/** Drops it in the background. If that fails, it is dropped at the end of the run. */
function dropLater(name: string): void {
  dropDatabase(name).catch(() => undefined)
}

function dropDatabase(name: string): Promise<void> {
  return run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

/** Drops a template, so that nothing copies it any more, and then everything that was named after it. */
export async function dropDatabases(template: string): Promise<void> {
  await dropDatabase(template)
  const { rows } = await commandPool().query(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [template],
  )
  for (const { datname } of rows) await dropDatabase(datname)
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
