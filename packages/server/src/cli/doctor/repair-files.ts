import { createHash } from 'node:crypto'
import { BackupRefused, type FindPacked, usePackedFiles } from '../../storage/backups.ts'
import { type FileStore, FileStoreUnavailable } from '../../storage/files/file-store.ts'
import type { FilePlace } from '../../storage/ports/attachments.ts'
import type { Storage } from '../../storage/storage.ts'
import {
  type CommandContext,
  CommandError,
  failingWith,
  type Input,
  type Option,
  UsageError,
} from '../command.ts'
import { many } from '../data/transfer-texts.ts'
import { withFiles } from './compare-files.ts'

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
  const remark = await withFiles(context, async ({ storage, store, compare }) => {
    const { lost } = await compare()
    const all = many(lost.length, 'lost file', 'lost files')
    if (backup !== undefined) return `Restored ${await restoreLost(backup, lost, store)} of ${all}`
    await markMissing(storage, lost)
    return `Marked ${all} as not received`
  }).catch((error: unknown) => {
    if (!(error instanceof FileStoreUnavailable)) throw error
    throw new CommandError(`nothing was changed: ${error.message}`, { cause: error })
  })
  context.terminal.remark(`${remark}\n`)
}

/** Restores lost files from a backup; returns how many. Those that the backup does not have, or that cannot be stored, stay lost. */
async function restoreLost(backup: string, lost: readonly FilePlace[], store: FileStore): Promise<number> {
  const restoreAll = async (find: FindPacked) => {
    let restored = 0
    for (const file of lost) if (await restoreFile(file, find, store)) restored++
    return restored
  }
  return usePackedFiles(backup, restoreAll).catch((error: unknown) => {
    if (error instanceof BackupRefused)
      throw new CommandError(`${backup}: ${error.message}`, { cause: error })
    return failingWith(`${backup} cannot be read`)(error)
  })
}

async function restoreFile(file: FilePlace, find: FindPacked, store: FileStore): Promise<boolean> {
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
async function markMissing(
  { attachments, auditLog }: Pick<Storage, 'attachments' | 'auditLog'>,
  lost: readonly FilePlace[],
): Promise<void> {
  if (lost.length === 0) return
  await attachments.giveUp(lost)
  const subjectName = lost.length === 1 ? (lost[0]?.name ?? null) : `${lost.length} files`
  await auditLog.add({ action: 'data.files_given_up', subjectName })
}
