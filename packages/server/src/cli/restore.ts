import { dirname } from 'node:path'
import {
  BackupRefused,
  checkBackup,
  copyBackup,
  createFolder,
  DatabaseInUse,
  replaceSqlite,
  sqliteFileOf,
} from '../storage/backups.ts'
import { contentsText } from './backup.ts'
import { type Command, CommandError, failingWith } from './command.ts'
import { exists, makeWhole } from './part-files.ts'
import { progressOf } from './terminal/progress.ts'

/** Puts a backup in the place of the database, after a recount of it. What was there is kept. */
export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Put a backup in the place of the database; stop the server first',
  positionals: ['FILE'],
  options: {
    force: { type: 'boolean', meaning: 'also if there is a database already; it is kept under another name' },
  },
  async run(input, { config, terminal }) {
    const [file = ''] = input.positionals
    const path = sqliteFileOf(config.databaseUrl)
    if (path === undefined)
      throw new CommandError(
        'a backup is restored into a file of SQLite; PostgreSQL has pg_restore for its dumps',
      )
    if (!(await exists(file))) throw new CommandError(`there is no file ${file}`)
    if ((await exists(path)) && !input.isSet('force'))
      throw new CommandError(
        `there is a database at ${path} already; with --force it is replaced, and kept under another name`,
      )
    makeRoom(path)
    const kept = `${path}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    const progress = progressOf(terminal, 'Copying')
    let hasKept = false
    const backup = await makeWhole(
      path,
      async (part) => {
        await copyBackup(file, part, progress.show).finally(progress.end)
        return checkBackup(part)
      },
      (part) => {
        hasKept = replaceSqlite(path, part, kept)
      },
    ).catch((error: unknown) => refuse(error, file, path))
    return {
      json: { file, database: path, kept: hasKept ? kept : null, ...backup },
      text: `Restored ${contentsText(backup)} into ${path}.${hasKept ? ` What was there is in ${kept}: remove it when you no longer need it.` : ''}`,
    }
  },
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
    throw new CommandError(`something is working on ${path}: stop the server, then restore again`, {
      cause: error,
    })
  if (error instanceof BackupRefused) throw new CommandError(`${file}: ${error.message}`, { cause: error })
  return failingWith(`${file} can not be restored`)(error)
}
