import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  BackupRefused,
  type CheckedBackup,
  checkBackup,
  copyBackup,
  createFolder,
  createFolderStore,
  DatabaseInUse,
  endContinuity,
  folderOf,
  replaceFolder,
  replaceSqlite,
  sqliteFileOf,
  takeFiles,
} from '../../storage/backups.ts'
import { openFileStore } from '../../storage/files/open-file-store.ts'
import { type Command, CommandError, failingWith } from '../command.ts'
import { progressOf, progressOfStages } from '../terminal/progress.ts'
import { contentsText } from './backup.ts'
import { exists, makeWhole } from './part-files.ts'
import { CHECK_LABELS, many } from './transfer-texts.ts'

/** Replaces the database with a backup, after recounting the backup. The previous database is kept. */
export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Replace the database with a backup; stop the server first',
  positionals: ['FILE'],
  options: {
    force: { type: 'boolean', meaning: 'replace an existing database; it is kept under another name' },
  },
  async run(input, { config, terminal }) {
    const [file = ''] = input.positionals
    const path = sqliteFileOf(config.databaseUrl)
    if (path === undefined)
      throw new CommandError('this restores SQLite databases; for PostgreSQL, use pg_restore')
    if (!(await exists(file))) throw new CommandError(`${file} does not exist`)
    if ((await exists(path)) && !input.isSet('force'))
      throw new CommandError(
        `there is already a database at ${path}; --force replaces it and keeps it under another name`,
      )
    makeRoom(path)
    const kept = `${path}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    const progress = progressOf(terminal, 'Copying')
    const checking = progressOfStages(terminal, CHECK_LABELS)
    const files = progressOf(terminal, 'Files')
    const bucket = config.attachmentsBucket
    let hasKept = false
    const backup = await makeWhole(
      path,
      async (part) => {
        await copyBackup(file, part, progress.show).finally(progress.end)
        const checked = await checkBackup(part, checking.show).finally(checking.end)
        await rm(folderOf(part), { recursive: true, force: true })
        const store =
          bucket === null
            ? createFolderStore(folderOf(part))
            : await openFileStore({ databaseUrl: config.databaseUrl, bucket, storage: { ownFiles: null } })
        await takeFiles(part, store, files.show).finally(files.end)
        await endContinuity(part)
        return checked
      },
      async (part) => {
        hasKept = replaceSqlite(path, part, kept)
        await replaceFolder(path, folderOf(part), kept)
      },
    ).catch((error: unknown) => refuse(error, file, path))
    return {
      json: { file, database: path, kept: hasKept ? kept : null, ...backup },
      text: [
        `Restored ${contentsText(backup)} to ${path}.${hasKept ? ` The previous database is in ${kept}; delete it when you no longer need it.` : ''}${lostText(backup)}`,
        ACCESS_AS_IT_WAS,
      ].join('\n'),
    }
  },
}

const ACCESS_AS_IT_WAS =
  'All sign-ins and one-time links have ended. Keys, access tokens, people and their rights are as they were when the backup was made: remove again what has been removed since.'

function lostText({ lostCount }: CheckedBackup): string {
  if (lostCount === 0) return ''
  return `\n${many(lostCount, 'file is', 'files are')} missing: they were already lost when the backup was made. "bugle doctor" names them and says what can be done.`
}

function makeRoom(path: string): void {
  try {
    createFolder(dirname(path))
  } catch (error) {
    failingWith(`${dirname(path)} cannot be created`)(error)
  }
}

function refuse(error: unknown, file: string, path: string): never {
  if (error instanceof CommandError) throw error
  if (error instanceof DatabaseInUse)
    throw new CommandError(`${path} is in use: stop the server, then try again`, {
      cause: error,
    })
  if (error instanceof BackupRefused) throw new CommandError(`${file}: ${error.message}`, { cause: error })
  return failingWith(`${file} cannot be restored`)(error)
}
