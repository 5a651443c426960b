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

async function opening(url: string, open: (path: string) => Promise<Storage>): Promise<Storage> {
  try {
    return await open(url.slice('sqlite:'.length))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StorageNotOpened(`The database ${url} could not be opened. ${reason}`, { cause: error })
  }
}
