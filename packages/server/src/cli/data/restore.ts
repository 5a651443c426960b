import { dirname } from 'node:path'
import {
  BackupRefused,
  checkBackup,
  copyBackup,
  createFolder,
  DatabaseInUse,
  replaceSqlite,
  sqliteFileOf,
} from '../../storage/backups.ts'
import { contentsText } from './backup.ts'
import { type Command, CommandError, failingWith } from '../command.ts'
import { exists, makeWhole } from './part-files.ts'
import { progressOf } from '../terminal/progress.ts'

/** Replaces the database with a backup, after a recount of it. The previous database is kept. */
export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Replace the database with a backup; stop the server first',
  positionals: ['FILE'],
  options: {
    force: { type: 'boolean', meaning: 'also if there is a database; it is kept under another name' },
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
      text: `Restored ${contentsText(backup)} to ${path}.${hasKept ? ` The previous database is in ${kept}; delete it when you no longer need it.` : ''}`,
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
    throw new CommandError(`${path} is in use: stop the server, then try again`, {
      cause: error,
    })
  if (error instanceof BackupRefused) throw new CommandError(`${file}: ${error.message}`, { cause: error })
  return failingWith(`${file} cannot be restored`)(error)
}
