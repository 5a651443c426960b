import { hidePassword } from '../postgres-url.ts'
import type { Inspection } from './inspection.ts'
import type { DistributionOutcome as PostgresOutcome } from './postgres/cluster/distribution.ts'
import { IN_MEMORY } from './sqlite/driver/connection.ts'
import { findObstacle } from './sqlite/driver/find-obstacle.ts'
import { startWriter } from './sqlite/threads/start-writer.ts'
import {
  type MigrationObserver,
  type Storage,
  StorageNotOpened,
  type StorageObserver,
  StorageUnavailable,
} from './storage.ts'

export { migrationText } from './maintenance/schema-versions.ts'

/** Opens the database that a URL names, for a server. */
export function openStorage(url: string, observer: StorageObserver): Promise<Storage> {
  return opening(
    url,
    async (path) => {
      // Started first: the thread opens the database while this one loads the code for it.
      const starting = path === IN_MEMORY ? undefined : startWriter(path, observer)
      const [{ openSqliteStorage }, writer] = await Promise.all([loadSqlite(), starting])
      return openSqliteStorage({ path, writer, ...observer })
    },
    async () =>
      (await loadPostgres()).openPostgresStorage(url, observer.onCommit, undefined, observer.onMigrationStep),
  )
}

/** Opens it for a short-lived command; a server may be running on it. Creates it if there is none. */
export async function openStorageForCommand(url: string): Promise<Storage> {
  return opening(
    url,
    async (path) => (await loadSqlite()).openSqliteInline(path),
    async () => (await loadPostgres()).openPostgresForCommand(url, 'create'),
  )
}

/** The same for a command that must not create one: a mistyped URL would leave an empty database behind. */
export async function openExistingStorage(url: string): Promise<Storage> {
  return opening(
    url,
    async (path) => {
      if (path !== IN_MEMORY) (await import('./sqlite/driver/require-sqlite.ts')).requireSqlite(path)
      return (await loadSqlite()).openSqliteInline(path)
    },
    async () => (await loadPostgres()).openPostgresForCommand(url, 'use'),
  )
}

/** The same for the one command that migrates it. */
export async function openMigrated(url: string, onStep?: MigrationObserver): Promise<Storage> {
  return opening(
    url,
    async (path) => (await loadSqlite()).openMigratedSqlite(path, onStep),
    async () => (await loadPostgres()).openPostgresForCommand(url, 'migrate', onStep),
  )
}

/** Opens it for inspection: it is neither changed nor migrated. */
export async function openInspection(url: string): Promise<Inspection> {
  return opening(
    url,
    async (path) => (await import('./sqlite/maintenance/inspect.ts')).inspectSqlite(path),
    async () => (await import('./postgres/maintenance/inspect.ts')).inspectPostgres(url),
  )
}

/** Rebuilds the full-text index, also while a server is running. */
export async function rebuildSearch(
  url: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  return opening(
    url,
    async (path) => (await import('./sqlite/issues/rebuild-search.ts')).rebuildSqliteSearch(path, onProgress),
    async () => (await import('./postgres/issues/rebuild-search.ts')).rebuildPostgresSearch(url),
  )
}

/** Why the tables were not distributed, or that they are. */
export type DistributionOutcome = PostgresOutcome | 'sqlite'

/** Distributes the tables over the nodes of a cluster. */
export async function distributeDatabase(
  url: string,
  onTable: (table: string, column: string) => void,
): Promise<DistributionOutcome> {
  return opening<DistributionOutcome>(
    url,
    async () => 'sqlite',
    async () => (await import('./postgres/cluster/distribution.ts')).distributePostgres(url, onTable),
  )
}

/** Only the code for the database that is used is loaded. */
function loadSqlite() {
  return import('./sqlite/sqlite-storage.ts')
}

function loadPostgres() {
  return import('./postgres/postgres-storage.ts')
}

async function opening<T>(
  url: string,
  openSqlite: (path: string) => Promise<T>,
  openPostgres: () => Promise<T>,
): Promise<T> {
  const path = /^sqlite:(.+)$/.exec(url)?.[1]
  try {
    return await (path === undefined ? openPostgres() : openSqlite(path))
  } catch (error) {
    const reason = error instanceof Error ? messageOf(error) : String(error)
    const obstacle = path === undefined ? undefined : obstacleAt(path)
    const advice = obstacle === undefined ? '' : `${reason.endsWith('.') ? '' : '.'} ${obstacle}`
    const failure = `The database ${hidePassword(url)} could not be opened.`
    throw new StorageNotOpened(`${failure} ${reason}${advice}`, { cause: error })
  }
}

/** What prevents a SQLite database from being created or opened, and what to do. */
export function obstacleAt(path: string): string | undefined {
  return path === IN_MEMORY ? undefined : findObstacle(path)
}

/** A database error as a readable message; `undefined` for any other error, such as a bug. */
export function describeDatabaseFault(error: unknown): string | undefined {
  if (error instanceof StorageNotOpened) return error.message
  if (error instanceof StorageUnavailable) return messageOf(error)
  if (!(error instanceof Error)) return undefined
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown }
  // By their properties: to use the driver's class, it would have to be loaded for SQLite too.
  const isOfPostgres = typeof severity === 'string' && /^[0-9A-Z]{5}$/.test(String(code))
  if (isOfPostgres) return `The database reports an error: ${error.message} (${code})`
  if (code === 'ERR_SQLITE_ERROR') return `The database reports an error: ${error.message}`
  return undefined
}

/** Includes the cause, such as a refused connection. */
function messageOf({ message, cause }: Error): string {
  return [message, reasonIn(cause)].filter((reason) => reason !== '').join(' ')
}

/** The cause of a write that failed in a thread is a text, whose first line has the name and the message. */
function reasonIn(cause: unknown): string {
  if (cause instanceof Error) return cause.message
  const [line = ''] = typeof cause === 'string' ? cause.split('\n', 1) : []
  return line.replace(/^\w*Error: /, '')
}
