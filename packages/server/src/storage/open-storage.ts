import type { Inspection } from './inspection.ts'
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
    async () => (await loadPostgres()).openPostgresStorage(url),
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
  try {
    if (url.startsWith('sqlite:')) return await openSqlite(url.slice('sqlite:'.length))
    return await openPostgres()
  } catch (error) {
    const reason = error instanceof Error ? messageOf(error) : String(error)
    throw new StorageNotOpened(`The database ${withoutPassword(url)} could not be opened. ${reason}`, {
      cause: error,
    })
  }
}

/** With what is behind it: that the database is away says less than that nobody listens there. */
function messageOf(error: Error): string {
  const reasons = [error, error.cause].filter((one) => one instanceof Error)
  return reasons
    .map(({ message }) => message)
    .filter((message) => message !== '')
    .join(' ')
}

function withoutPassword(url: string): string {
  return url.replace(/(?<=^[^/]*\/\/[^:@/]*:)[^@/]*(?=@)/, '…')
}
