import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import { SchemaRefused } from '../../maintenance/schema-versions.ts'
import type { Migration, MigrationObserver } from '../../storage.ts'
import { FILE_MODE, openReader } from '../driver/connection.ts'
import { databaseBytes, findRoomFault } from '../driver/find-room-fault.ts'
import { syncFolder } from '../driver/sync-folder.ts'
import { DatabaseInUse, takeAlone } from '../driver/take-alone.ts'
import { migrate, SCHEMA_VERSION, schemaVersion } from './migrate.ts'

/** What is appended to the name of a database for its copy as it was before the last migration. */
const COPY = '.before-migration'

/**
 * Migrates a database file that has an earlier schema; `undefined` if there is nothing to migrate. No other process may have it open.
 * A copy of what it was is kept next to it and replaces the copy of the last migration.
 */
export async function migrateFile(path: string, onStep?: MigrationObserver): Promise<Migration | undefined> {
  if (!existsSync(path) || !isEarlier(path)) return undefined
  requireRoom(path)
  using db = takeFor(path)
  await keepCopy(db, path + COPY)
  return { ...migrate(db, onStep), copy: path + COPY }
}

function isEarlier(path: string): boolean {
  using db = openReader(path)
  const version = schemaVersion(db)
  return version > 0 && version < SCHEMA_VERSION
}

function takeFor(path: string): DatabaseSync {
  try {
    return takeAlone(path)
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    throw new SchemaRefused(
      `The database must be migrated to schema version ${SCHEMA_VERSION}, but another process has it open. Stop that process and try again.`,
    )
  }
}

function requireRoom(path: string): void {
  const fault = findRoomFault({
    what: `Migrating to schema version ${SCHEMA_VERSION}`,
    of: 'the database',
    bytes: databaseBytes(path),
    folder: dirname(path),
  })
  if (fault !== undefined) throw new SchemaRefused(fault)
}

/** Complete as soon as it has its name. */
async function keepCopy(db: DatabaseSync, file: string): Promise<void> {
  const part = `${file}.part`
  rmSync(part, { force: true })
  try {
    const handle = openSync(part, 'wx', FILE_MODE)
    try {
      await backup(db, part)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  syncFolder(dirname(file))
}
