import { existsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { StoredCounts } from './inspection.ts'
import { newerSchema } from './maintenance/schema-versions.ts'
import { IN_MEMORY } from './sqlite/driver/connection.ts'
import type { OnProgress } from './sqlite/maintenance/backup.ts'

export { createFolder } from './sqlite/driver/create-folder.ts'
export { DatabaseInUse, replaceSqlite } from './sqlite/maintenance/replace.ts'
export type { OnProgress }

/** A backup that was checked: everything in it agrees with a recount. */
export interface CheckedBackup {
  readonly schemaVersion: number
  readonly counts: StoredCounts
}

/** The file can not serve as a backup; the message says why, for people. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** The file of a database on SQLite; none if it is on PostgreSQL, or in memory. */
export function sqliteFileOf(url: string): string | undefined {
  const path = /^sqlite:(.+)$/.exec(url)?.[1]
  return path === IN_MEMORY ? undefined : path
}

/** Copies a database that others may be using into an empty file, as of one moment. */
export async function copyDatabase(path: string, file: string, onProgress: OnProgress): Promise<void> {
  const { copySqlite } = await import('./sqlite/maintenance/backup.ts')
  await copySqlite(path, file, onProgress)
}

/** Copies a backup into an empty file. */
export async function copyBackup(path: string, file: string, onProgress: OnProgress): Promise<void> {
  await requireSqlite(path)
  if (hasLog(path)) {
    throw new BackupRefused(
      `it is a database in use, with a log beside it (${path}-wal), and no backup; "bugle backup" makes one of it`,
    )
  }
  const { copySqliteFile } = await import('./sqlite/maintenance/backup.ts')
  await copySqliteFile(path, file, onProgress)
}

function hasLog(path: string): boolean {
  return existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0
}

async function requireSqlite(path: string): Promise<void> {
  const beginning = await readBeginning(path)
  if (beginning.startsWith('SQLite format 3\0')) return
  if (beginning.startsWith('PGDMP') || /^--\r?\n-- PostgreSQL database dump/.test(beginning)) {
    throw new BackupRefused(
      'it is a dump of PostgreSQL; restore it into an empty database with pg_restore or psql, and check it there with "bugle doctor"',
    )
  }
  throw new BackupRefused('it is not a database of SQLite')
}

async function readBeginning(path: string): Promise<string> {
  await using handle = await open(path)
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(64) })
  return buffer.toString('latin1', 0, bytesRead)
}

/** Opens a backup and recounts it; throws {@link BackupRefused} if anything is wrong. */
export async function checkBackup(path: string): Promise<CheckedBackup> {
  await requireSqlite(path)
  const { inspectSqliteFile } = await import('./sqlite/maintenance/inspect.ts')
  try {
    await using inspection = inspectSqliteFile(path)
    const { found, known } = inspection.schema
    if (found > known) throw newerSchema(found, known)
    if (found === 0) throw new BackupRefused('it is a database of SQLite, but not one of Bugle')
    const damage = await inspection.listDamage()
    const { counts, faults } = await inspection.audit()
    return checked({ schemaVersion: found, counts }, [...damage, ...faults])
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    throw new BackupRefused(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function checked(backup: CheckedBackup, faults: readonly string[]): CheckedBackup {
  if (faults.length > 0) throw new BackupRefused(faults.join('; '))
  return backup
}
