import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { StoredCounts } from './inspection.ts'
import { newerSchema } from './sql/schema-versions.ts'
import type { OnProgress } from './sqlite/backup.ts'
import { IN_MEMORY } from './sqlite/connection.ts'

export { createFolder } from './sqlite/create-folder.ts'
export { DatabaseInUse, replaceSqlite } from './sqlite/replace.ts'
export type { OnProgress }

/** A backup that was checked: everything in it agrees with a recount. */
export interface CheckedBackup {
  readonly kind: 'sqlite' | 'postgres'
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
  const { copySqlite } = await import('./sqlite/backup.ts')
  await copySqlite(path, file, onProgress)
}

/** Copies a backup into an empty file. */
export async function copyBackup(path: string, file: string, onProgress: OnProgress): Promise<void> {
  const kind = await kindOf(path)
  if (kind !== 'sqlite')
    throw new BackupRefused('it is a dump of PostgreSQL, which is restored with pg_restore or psql')
  if (hasLog(path)) {
    throw new BackupRefused(
      `it is a database in use, with a log beside it (${path}-wal), and no backup; "bugle backup" makes one of it`,
    )
  }
  const { copySqliteFile } = await import('./sqlite/backup.ts')
  await copySqliteFile(path, file, onProgress)
}

function hasLog(path: string): boolean {
  return existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0
}

/** Opens a backup, or a dump of PostgreSQL, and recounts it; throws {@link BackupRefused} if anything is wrong. */
export async function checkBackup(path: string): Promise<CheckedBackup> {
  const kind = await kindOf(path)
  if (kind === 'sqlite') return checkSqlite(path)
  return checkDump(kind === 'plain-dump' ? linesOf(path) : restoredLines(path))
}

async function kindOf(path: string): Promise<'sqlite' | 'plain-dump' | 'packed-dump'> {
  if ((await stat(path)).isDirectory()) return 'packed-dump'
  const beginning = await readBeginning(path)
  if (beginning.startsWith('SQLite format 3\0')) return 'sqlite'
  if (beginning.startsWith('PGDMP')) return 'packed-dump'
  if (/^--\r?\n-- PostgreSQL database dump/.test(beginning)) return 'plain-dump'
  throw new BackupRefused('it is neither a database of SQLite nor a dump that pg_dump made')
}

async function readBeginning(path: string): Promise<string> {
  await using handle = await open(path)
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(64) })
  return buffer.toString('latin1', 0, bytesRead)
}

async function checkSqlite(path: string): Promise<CheckedBackup> {
  const { inspectSqliteFile } = await import('./sqlite/inspect.ts')
  try {
    await using inspection = inspectSqliteFile(path)
    const { found, known } = inspection.schema
    if (found > known) throw newerSchema(found, known)
    if (found === 0) throw new BackupRefused('it is a database of SQLite, but not one of Bugle')
    const damage = await inspection.listDamage()
    const { counts, faults } = await inspection.audit()
    return checked({ kind: 'sqlite', schemaVersion: found, counts }, [...damage, ...faults])
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    throw new BackupRefused(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

async function checkDump(lines: AsyncIterable<string>): Promise<CheckedBackup> {
  const { readDump } = await import('./postgres/dumps.ts')
  const { schemaVersion, counts, faults } = await readDump(lines)
  return checked({ kind: 'postgres', schemaVersion, counts }, faults)
}

function checked(backup: CheckedBackup, faults: readonly string[]): CheckedBackup {
  if (faults.length > 0) throw new BackupRefused(faults.join('; '))
  return backup
}

function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
}

/** A dump that is no plain SQL, as the SQL that PostgreSQL's own program makes of it. */
async function* restoredLines(path: string): AsyncIterable<string> {
  const program = spawn('pg_restore', ['--file=-', resolve(path)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const complaint = text(program.stderr)
  const ended = once(program, 'close').catch((error: unknown) => {
    throw new BackupRefused(
      `it is a dump that only pg_restore can read, and that is not installed here; "pg_restore --file=plain.sql …" makes one of it that can be checked`,
      { cause: error },
    )
  })
  // Awaited below; until then a program that does not exist must not end the process.
  ended.catch(() => {})
  yield* createInterface({ input: program.stdout })
  const [code] = await ended
  if (code !== 0) throw new BackupRefused(`pg_restore can not read it: ${(await complaint).trim()}`)
}
