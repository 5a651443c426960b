import { hidePassword } from '../postgres-url.ts'
import type { Inspection } from './inspection.ts'
import { IN_MEMORY } from './sqlite/connection.ts'
import { findObstacle } from './sqlite/find-obstacle.ts'
import { openSqliteInline, openSqliteStorage } from './sqlite/sqlite-storage.ts'
import { type Storage, StorageNotOpened, type StorageObserver } from './storage.ts'

/** Opens the database that a URL names, for a server. */
export function openStorage(url: string, observer: StorageObserver): Promise<Storage> {
  return opening(
    url,
    (path) => openSqliteStorage({ path, ...observer }),
    async () => (await loadPostgres()).openPostgresStorage(url, observer.onCommit),
  )
}

/** Opens it for a command that does one thing and ends; a server may be running on it meanwhile. */
export async function openStorageForCommand(url: string): Promise<Storage> {
  return opening(
    url,
    async (path) => openSqliteInline(path),
    async () => (await loadPostgres()).openPostgresForCommand(url),
  )
}

/** Opens it to look at it: nothing is changed, and nothing is brought up to date. */
export async function openInspection(url: string): Promise<Inspection> {
  return opening(
    url,
    async (path) => (await import('./sqlite/inspect.ts')).inspectSqlite(path),
    async () => (await import('./postgres/inspect.ts')).inspectPostgres(url),
  )
}

/** Only when it is needed: SQLite starts faster without it. */
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

/** What is in the way of a database on SQLite that does not exist yet, or can not be opened; with what to do. */
export function obstacleAt(path: string): string | undefined {
  return path === IN_MEMORY ? undefined : findObstacle(path)
}

/** With what is behind it: that the database is away says less than that nobody listens there. */
function messageOf(error: Error): string {
  const reasons = [error, error.cause].filter((one) => one instanceof Error)
  return reasons
    .map(({ message }) => message)
    .filter((message) => message !== '')
    .join(' ')
}
