import { openPostgresStorage } from './postgres/postgres-storage.ts'
import { openSqliteInline, openSqliteStorage } from './sqlite/sqlite-storage.ts'
import { type Storage, StorageNotOpened } from './storage.ts'

/** Opens the database that a URL names, for a server. */
export function openStorage(url: string, onCrash: (error: Error) => void): Promise<Storage> {
  return opening(url, (path) => openSqliteStorage({ path, onCrash }))
}

/** Opens it for a command that does one thing and ends; a server may be running on it meanwhile. */
export async function openStorageForCommand(url: string): Promise<Storage> {
  return opening(url, async (path) => openSqliteInline(path))
}

async function opening(url: string, openSqlite: (path: string) => Promise<Storage>): Promise<Storage> {
  try {
    if (url.startsWith('sqlite:')) return await openSqlite(url.slice('sqlite:'.length))
    return await openPostgresStorage(url)
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
