import { openSqliteInline, openSqliteStorage } from './sqlite/sqlite-storage.ts'
import type { Storage } from './storage.ts'

/** Opens the database that a URL names, for a server. */
export function openStorage(url: string, onCrash: (error: Error) => void): Promise<Storage> {
  return openSqliteStorage({ path: sqlitePath(url), onCrash })
}

/** Opens it for a command that does one thing and ends; a server may be running on it meanwhile. */
export async function openStorageForCommand(url: string): Promise<Storage> {
  return openSqliteInline(sqlitePath(url))
}

function sqlitePath(url: string): string {
  return url.slice('sqlite:'.length)
}
