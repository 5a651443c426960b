import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { dropPassword } from '../../postgres-url.ts'
import {
  BackupRefused,
  type CheckedBackup,
  checkBackup,
  copyDatabase,
  sqliteFileOf,
} from '../../storage/backups.ts'
import { type Command, CommandError, failingWith, type Result, type Terminal } from '../command.ts'
import { exists, makeWhole, refuseToOverwrite } from './part-files.ts'
import { progressOf } from '../terminal/progress.ts'
import { many } from './transfer-texts.ts'

/** Copies a SQLite database while a server uses it, and checks the copy with a recount. */
export const backupCommand: Command = {
  name: 'backup',
  summary: 'Back up the database to a file, also while a server runs, and check the copy',
  positionals: ['FILE'],
  options: {
    check: { type: 'boolean', meaning: 'only check the backup FILE' },
  },
  async run(input, { config, terminal }) {
    const [file = ''] = input.positionals
    if (input.isSet('check')) return checkOnly(file)
    const path = sqliteFileOf(config.databaseUrl)
    if (path === undefined) throw new CommandError(advice(config.databaseUrl, file))
    if (!(await exists(path))) throw new CommandError(`there is no database at ${path}`)
    await refuseToOverwrite(file)
    const backup = await makeWhole(file, (part) => copy(path, part, terminal))
    return {
      json: { file, ...backup },
      text: `Backed up ${contentsText(backup)} to ${file}, and checked the copy. Keep the file secret: it contains webhook secrets and password hashes.`,
    }
  },
}

async function copy(path: string, part: string, terminal: Terminal): Promise<CheckedBackup> {
  const progress = progressOf(terminal, 'Copying')
  await copyDatabase(path, part, progress.show)
    .finally(progress.end)
    .catch(async (error: unknown) => failingWith(`${part} cannot be written${await roomText(part)}`)(error))
  return checkBackup(part)
}

async function roomText(part: string): Promise<string> {
  const { bavail, bsize } = await statfs(dirname(part))
  return ` (${Math.round((bavail * bsize) / 2 ** 20).toLocaleString('en')} MiB free)`
}

async function checkOnly(file: string): Promise<Result> {
  const backup = await checkBackup(file).catch((error: unknown) => {
    if (error instanceof BackupRefused) throw new CommandError(`${file}: ${error.message}`, { cause: error })
    return failingWith(`${file} cannot be read`)(error)
  })
  return { json: { file, ...backup }, text: `${file} is complete: ${contentsText(backup)}.` }
}

/** How much a backup holds, as far as people count it. */
export function contentsText({ counts, schemaVersion }: CheckedBackup): string {
  const { projects, issues, events } = counts
  return `${many(projects, 'project', 'projects')}, ${many(issues, 'issue', 'issues')} and ${many(events, 'event', 'events')} (schema version ${schemaVersion})`
}

/** PostgreSQL has a good way of its own. The address has no password here: it would end up in a shell's history. */
function advice(url: string, file: string): string {
  if (url.startsWith('sqlite:'))
    return 'a database in memory cannot be backed up: it is lost when the server stops'
  const address = dropPassword(url)
  return [
    'nothing was backed up: for PostgreSQL, use pg_dump; the server can run meanwhile',
    '',
    `  pg_dump --format=custom --file=${quoted(file)} --dbname=${quoted(address)}`,
    '',
    'The password comes from ~/.pgpass or PGPASSWORD. To restore, into an empty database:',
    '',
    `  pg_restore --no-owner --exit-on-error --dbname=${quoted(address)} ${quoted(file)}`,
    '',
    'Then "npx bugle doctor" recounts what is in it.',
  ].join('\n')
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
