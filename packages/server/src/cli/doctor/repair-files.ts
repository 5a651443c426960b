import { createHash } from 'node:crypto'
import { BackupRefused, type FindPacked, usePackedFiles } from '../../storage/backups.ts'
import { type FileStore, FileStoreUnavailable } from '../../storage/files/file-store.ts'
import type { ListedFile } from '../../storage/ports/attachments.ts'
import {
  type CommandContext,
  CommandError,
  failingWith,
  type Input,
  type Option,
  UsageError,
} from '../command.ts'
import { many } from '../data/transfer-texts.ts'
import { type Files, withFiles } from './compare-files.ts'

export const REPAIR_OPTIONS: Readonly<Record<string, Option>> = {
  'restore-files': {
    type: 'string',
    value: 'BACKUP',
    meaning: 'first restore missing or damaged files from this backup',
  },
  'mark-files-missing': {
    type: 'boolean',
    meaning: 'first mark missing or damaged files as not received',
  },
  yes: { type: 'boolean', meaning: 'confirm --mark-files-missing' },
}

/** Does what the options ask for about files that are missing or damaged. */
export async function repairFiles(input: Input, context: CommandContext): Promise<void> {
  const backup = input.text('restore-files')
  const marksMissing = input.isSet('mark-files-missing')
  if (backup !== undefined && marksMissing)
    throw new UsageError('--restore-files and --mark-files-missing cannot be combined')
  if (marksMissing && !input.isSet('yes'))
    throw new UsageError(
      'this removes what is left of lost files; make sure that the folder or bucket is mounted, then add --yes',
    )
  if (backup === undefined && !marksMissing) return
  const remark = await withFiles(context, (files) =>
    backup === undefined ? markMissing(files) : restoreLost(backup, files),
  ).catch((error: unknown) => {
    if (!(error instanceof FileStoreUnavailable)) throw error
    throw new CommandError(`nothing was changed: ${error.message}`, { cause: error })
  })
  context.terminal.remark(`${remark}\n`)
}

/** Restores lost files from a backup. Those that the backup does not have, or that cannot be stored, stay lost. */
async function restoreLost(backup: string, { storage, store, compare }: Files): Promise<string> {
  const { lost, unreadable, repaired } = await compare()
  const broken = [...lost, ...unreadable]
  const restoreAll = async (find: FindPacked) => {
    const restored: ListedFile[] = []
    for (const file of broken) if (await restoreFile(file, find, store)) restored.push(file)
    return restored
  }
  const restored = await usePackedFiles(backup, restoreAll).catch((error: unknown) => {
    if (error instanceof BackupRefused)
      throw new CommandError(`${backup}: ${error.message}`, { cause: error })
    return failingWith(`${backup} cannot be read`)(error)
  })
  for (const { name: file, projectId, sha256 } of [...restored, ...repaired])
    await storage.attachments.noteDamage({ projectId, sha256, file, isDamaged: false })
  return `Restored ${restored.length} of ${lostText(broken)}`
}

async function restoreFile(file: ListedFile, find: FindPacked, store: FileStore): Promise<boolean> {
  const { name, size, sha256 } = file
  // Read twice: what is left of the file is removed only for bytes that are known to be right.
  if (digestOf(find(sha256) ?? []) !== sha256) return false
  try {
    await store.remove(name)
    await store.put({ name, size, sha256 }, toAsync(find(sha256) ?? []))
    return true
  } catch (error) {
    if (error instanceof FileStoreUnavailable) return false
    throw error
  }
}

function digestOf(pieces: Iterable<Uint8Array>): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

async function* toAsync(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces
}

/** Marks lost files as not received, and records it. */
async function markMissing({ storage: { attachments, auditLog }, compare, examine }: Files): Promise<string> {
  const { lost, unreadable } = await compare()
  const [file] = unreadable
  if (file !== undefined) throw new CommandError(`nothing was changed: ${unreadableText(file)}`)
  const given: ListedFile[] = []
  let obstacle: ListedFile | undefined
  for (const file of lost) {
    // A comparison takes long, and the file may be back.
    const fault = await examine(file)
    if (fault === null) continue
    if (fault === 'unreadable') {
      obstacle = file
      break
    }
    await attachments.giveUp([file])
    given.push(file)
  }
  const subjectName = given.length === 1 ? (given[0]?.name ?? null) : `${given.length} files`
  if (given.length > 0) await auditLog.add({ action: 'data.files_given_up', subjectName })
  const marked = `Marked ${lostText(given)} as not received`
  if (obstacle !== undefined) throw new CommandError(`${marked}, then stopped: ${unreadableText(obstacle)}`)
  return marked
}

function lostText({ length }: readonly ListedFile[]): string {
  return many(length, 'lost file', 'lost files')
}

function unreadableText({ name }: ListedFile): string {
  return `${name} cannot be read at the moment, so it may be whole; make sure that the folder or bucket of files can be read, then try again`
}
