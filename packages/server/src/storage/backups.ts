import { existsSync, statSync } from 'node:fs'
import { copyFile, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FileStore } from './files/file-store.ts'
import { createFolderStore, folderOf } from './files/folder-store.ts'
import type { Audit, Inspection, OnProgress, StoredCounts } from './inspection.ts'
import { IN_MEMORY, openFrozen, openWriter } from './sqlite/driver/connection.ts'
import type { LostFile, PackedFiles } from './sqlite/maintenance/backup-files.ts'
import { migrate, SCHEMA_VERSION } from './sqlite/migrations/migrate.ts'

export { createFolderStore, folderOf } from './files/folder-store.ts'
export { PartNotCreated, renameDurably, writeWhole } from './files/whole-files.ts'
export { createFolder } from './sqlite/driver/create-folder.ts'
export { DatabaseInUse } from './sqlite/driver/take-alone.ts'
export { replaceSqlite } from './sqlite/maintenance/replace.ts'
export type { LostFile, OnProgress }

/** A backup that was checked: its counters match a recount. */
export interface CheckedBackup {
  readonly schemaVersion: number
  readonly counts: StoredCounts
  /** The files of reports that it contains. */
  readonly files: number
  /** Files of the database that were already lost when it was made, up to a hundred. Everything else is in it. */
  readonly lostFiles: readonly LostFile[]
  readonly lostCount: number
}

/** The file is not a usable backup; the message explains why. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** The file of a database on SQLite; none if it is on PostgreSQL, or in memory. */
export function sqliteFileOf(url: string): string | undefined {
  const path = /^sqlite:(.+)$/.exec(url)?.[1]
  return path === IN_MEMORY ? undefined : path
}

interface PlannedBackup {
  /** The file of the database. */
  readonly path: string
  /** The file that is written. */
  readonly part: string
  /** Whether files are next to the database; otherwise they are in a bucket, which has its own backups. */
  readonly isInFolder: boolean
}

/** Why the disk has no room for a backup, and what to do; `undefined` if it has. */
export async function findBackupRoomFault(planned: PlannedBackup): Promise<string | undefined> {
  const { path, part, isInFolder } = planned
  const { databaseBytes, findRoomFault } = await import('./sqlite/driver/find-room-fault.ts')
  const { countFileBytes } = await import('./sqlite/maintenance/backup-files.ts')
  return findRoomFault({
    what: 'A backup',
    of: isInFolder ? 'the database and the files of reports' : 'the database',
    bytes: databaseBytes(path) + (isInFolder ? countFileBytes(path) : 0),
    folder: dirname(part),
  })
}

/** Copies a database that others may be using into an empty file, as a consistent snapshot. */
export async function copyDatabase(path: string, file: string, onProgress: OnProgress): Promise<void> {
  const { copySqlite } = await import('./sqlite/maintenance/backup.ts')
  await copySqlite(path, file, onProgress)
}

/** Copies a backup into an empty file. */
export async function copyBackup(path: string, file: string, onProgress: OnProgress): Promise<void> {
  await requireSqlite(path)
  if (hasLog(path)) {
    throw new BackupRefused(
      `it is a database in use, with a log next to it (${path}-wal), not a backup; create one with "bugle backup"`,
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
      'it is a PostgreSQL dump; restore it into an empty database with pg_restore or psql, and check it there with "bugle doctor"',
    )
  }
  throw new BackupRefused('it is not a SQLite database')
}

async function readBeginning(path: string): Promise<string> {
  await using handle = await open(path)
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(64) })
  return buffer.toString('latin1', 0, bytesRead)
}

export type CheckStage = 'integrity' | 'recount' | 'files'
/** The stages of a check follow each other. */
export type OnCheck = (stage: CheckStage, done: number, total: number) => void

/** Opens a backup and recounts it; throws {@link BackupRefused} if anything is wrong. */
export async function checkBackup(path: string, onCheck: OnCheck = ignore): Promise<CheckedBackup> {
  await requireSqlite(path)
  const { inspectSqliteFile } = await import('./sqlite/maintenance/inspect.ts')
  try {
    await using inspection = inspectSqliteFile(path)
    const { found, known, fault } = inspection.schema
    if (found === 0) throw new BackupRefused('it is a SQLite database, but not a Bugle database')
    if (found > known && fault !== null) throw new BackupRefused(fault)
    onCheck('integrity', 0, 1)
    const damage = await inspection.listDamage()
    onCheck('integrity', 1, 1)
    const audit = (current: Inspection) => current.audit((...done) => onCheck('recount', ...done))
    const { counts, faults } = await (found < known ? useMigrated(path, audit) : audit(inspection))
    const onFile: OnProgress = (...done) => onCheck('files', ...done)
    const { count, faults: fileFaults, ...lost } = await checkFiles(path, onFile)
    const backup = { schemaVersion: found, counts, files: count, ...lost }
    return checked(backup, [...damage, ...faults, ...fileFaults])
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    throw new BackupRefused(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Whether this release wrote the database, or one with the same tables. */
export function hasCurrentSchema({ schemaVersion }: CheckedBackup): boolean {
  return schemaVersion === SCHEMA_VERSION
}

/** A backup of an earlier release is recounted in a copy with the current schema, and stays as it is. */
async function useMigrated(path: string, audit: (current: Inspection) => Promise<Audit>): Promise<Audit> {
  const copy = `${path}.migrated`
  const { inspectSqliteFile } = await import('./sqlite/maintenance/inspect.ts')
  try {
    await copyFile(path, copy)
    {
      using db = openWriter(copy)
      migrate(db)
    }
    await using inspection = inspectSqliteFile(copy)
    return await audit(inspection)
  } finally {
    for (const ending of ['', '-wal', '-shm']) await rm(copy + ending, { force: true })
  }
}

async function checkFiles(path: string, onProgress: OnProgress): Promise<PackedFiles> {
  const { checkPackedFiles } = await import('./sqlite/maintenance/backup-files.ts')
  using db = openFrozen(path)
  return checkPackedFiles(db, onProgress)
}

function ignore(): void {}

function checked(backup: CheckedBackup, faults: readonly string[]): CheckedBackup {
  if (faults.length > 0) throw new BackupRefused(faults.join('; '))
  return backup
}

/** Adds the files of the folder next to a database to its copy, so that no other file is needed. */
export async function addFiles(path: string, copy: string, onProgress: OnProgress): Promise<void> {
  const { packFiles } = await import('./sqlite/maintenance/backup-files.ts')
  await packFiles(copy, { database: path, store: createFolderStore(folderOf(path)) }, onProgress)
}

/** The bytes with this digest in a backup; none if it does not have them. */
export type FindPacked = (sha256: string) => Iterable<Uint8Array> | undefined

/** Looks for files in a backup. */
export async function usePackedFiles<T>(path: string, use: (find: FindPacked) => Promise<T>): Promise<T> {
  await requireSqlite(path)
  const { findPacked } = await import('./sqlite/maintenance/backup-files.ts')
  using db = openFrozen(path)
  return await use((sha256) => findPacked(db, sha256))
}

/** Moves the files of a copied backup into a store. The copy is then a database that a server can use. */
export async function takeFiles(copy: string, store: FileStore, onProgress: OnProgress): Promise<void> {
  const { unpackFiles } = await import('./sqlite/maintenance/backup-files.ts')
  await unpackFiles(copy, store, onProgress)
}

/** Ends what must not continue in a copied backup: all sign-ins and one-time links, and the series of scheduled backups. */
export async function endContinuity(copy: string): Promise<void> {
  const { endAccess } = await import('./sqlite/maintenance/end-access.ts')
  const { endSeries } = await import('./backups/series.ts')
  endAccess(copy)
  endSeries(copy)
}

/** Puts restored files in place; those of the replaced database are kept with it. */
export async function replaceFolder(path: string, folder: string, keptPath: string): Promise<void> {
  const own = folderOf(path)
  if (existsSync(own)) await rename(own, folderOf(keptPath))
  if (existsSync(folder)) await rename(folder, own)
}
