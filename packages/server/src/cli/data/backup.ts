import { statfs } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { dropPassword } from '../../postgres-url.ts'
import {
  addFiles,
  BackupRefused,
  type CheckedBackup,
  checkBackup,
  copyDatabase,
  findBackupRoomFault,
  hasCurrentSchema,
  sqliteFileOf,
} from '../../storage/backups.ts'
import { describeDatabaseFault } from '../../storage/open-storage.ts'
import {
  type Command,
  type CommandContext,
  CommandError,
  failingWith,
  type Result,
  type Terminal,
} from '../command.ts'
import { progressOf, progressOfStages } from '../terminal/progress.ts'
import { exists, makeWhole, refuseToOverwrite } from './part-files.ts'
import { CHECK_LABELS, lostLines, many } from './transfer-texts.ts'

/** Copies a SQLite database while a server uses it, and checks the copy with a recount. */
export const backupCommand: Command = {
  name: 'backup',
  summary: 'Back up the database to a file, also while a server runs, and check the copy',
  positionals: ['FILE'],
  options: {
    check: { type: 'boolean', meaning: 'only check the backup FILE' },
  },
  note: 'If files of reports are missing or damaged where they are kept, everything else is backed up and the exit code is 1.',
  async run(input, { config, terminal, withStorage }) {
    const [file = ''] = input.positionals
    if (input.isSet('check')) return checkOnly(file, terminal)
    const path = sqliteFileOf(config.databaseUrl)
    if (path === undefined) throw new CommandError(advice(config.databaseUrl, file))
    if (!(await exists(path))) throw new CommandError(`there is no database at ${path}`)
    await refuseToOverwrite(file)
    const isInFolder = config.attachmentsBucket === null
    const backup = await makeWhole(file, (part) => copy({ path, part, isInFolder }, terminal)).catch(
      (error: unknown) => refuse(error, file),
    )
    // Opening the database of an earlier release would upgrade it, which a backup must not do.
    if (hasCurrentSchema(backup)) await recordBackup({ file, withStorage, terminal })
    return resultOf(
      file,
      backup,
      `Backed up ${contentsText(backup)} to ${file}, and checked the copy. Keep the file secret: it contains webhook secrets and password hashes.`,
    )
  },
}

interface Recording extends Pick<CommandContext, 'withStorage' | 'terminal'> {
  readonly file: string
}

/** The settings show when the last backup was made. The backup is good even if this fails. */
async function recordBackup({ file, withStorage, terminal }: Recording): Promise<void> {
  const entry = { action: 'data.backed_up', subjectName: basename(file) } as const
  await withStorage(({ auditLog }) => auditLog.add(entry)).catch((error: unknown) => {
    const fault = describeDatabaseFault(error)
    if (fault === undefined) throw error
    terminal.warn(`the backup is complete, but not in the audit log: ${fault}`)
  })
}

interface Copy {
  readonly path: string
  readonly part: string
  /** Whether files are next to the database; otherwise they are in a bucket, which has its own backups. */
  readonly isInFolder: boolean
}

async function copy({ path, part, isInFolder }: Copy, terminal: Terminal): Promise<CheckedBackup> {
  const fault = await findBackupRoomFault({ path, part, isInFolder })
  if (fault !== undefined) throw new CommandError(fault)
  const progress = progressOf(terminal, 'Copying')
  await copyDatabase(path, part, progress.show)
    .finally(progress.end)
    .catch(async (error: unknown) => failingWith(`${part} cannot be written${await roomText(part)}`)(error))
  if (isInFolder) {
    const files = progressOf(terminal, 'Files')
    await addFiles(path, part, files.show).finally(files.end)
  }
  return checkShown(part, terminal)
}

function refuse(error: unknown, file: string): never {
  if (error instanceof BackupRefused) throw new CommandError(`${file}: ${error.message}`, { cause: error })
  throw error
}

async function roomText(part: string): Promise<string> {
  const { bavail, bsize } = await statfs(dirname(part))
  return ` (${Math.round((bavail * bsize) / 2 ** 20).toLocaleString('en')} MiB free)`
}

function checkShown(file: string, terminal: Terminal): Promise<CheckedBackup> {
  const progress = progressOfStages(terminal, CHECK_LABELS)
  return checkBackup(file, progress.show).finally(progress.end)
}

async function checkOnly(file: string, terminal: Terminal): Promise<Result> {
  const backup = await checkShown(file, terminal).catch((error: unknown) => {
    if (error instanceof BackupRefused) throw new CommandError(`${file}: ${error.message}`, { cause: error })
    return failingWith(`${file} cannot be read`)(error)
  })
  const found = backup.lostCount === 0 ? 'is complete' : 'is intact'
  return resultOf(file, backup, `${file} ${found}: ${contentsText(backup)}.`)
}

/** A failure if files were lost: the rest is in the backup, but a scheduled job must not hide it. */
function resultOf(file: string, backup: CheckedBackup, text: string): Result {
  const json = { file, ...backup }
  if (backup.lostCount === 0) return { json, text }
  return { json, text: `${text}\n${lostText(backup)}`, isFailure: true }
}

function lostText({ lostFiles, lostCount }: CheckedBackup): string {
  return [
    `${many(lostCount, 'file is', 'files are')} missing or damaged where files are kept, and not in the backup:`,
    ...lostLines(lostFiles, lostCount),
    'Everything else is in the backup. "bugle doctor" says what can be done about these files.',
  ].join('\n')
}

/** The contents of a backup, in numbers that matter to people. */
export function contentsText({ counts, files, schemaVersion }: CheckedBackup): string {
  const { projects, issues, events } = counts
  const filesText = files === 0 ? '' : `, ${many(files, 'file', 'files')}`
  return `${many(projects, 'project', 'projects')}, ${many(issues, 'issue', 'issues')}${filesText} and ${many(events, 'event', 'events')} (schema version ${schemaVersion})`
}

/** PostgreSQL has its own tools. The URL is shown without the password, which would end up in the shell's history. */
function advice(url: string, file: string): string {
  if (url.startsWith('sqlite:'))
    return 'a database in memory cannot be backed up: it is lost when the server stops'
  const address = dropPassword(url)
  return [
    'nothing was backed up: for PostgreSQL, use pg_dump; the server can run meanwhile',
    '',
    `  pg_dump --format=custom --exclude-table-data=sign_ins --exclude-table-data=links --file=${quoted(file)} --dbname=${quoted(address)}`,
    '',
    'The dump has no sign-ins and one-time links, so that a restore does not bring them back.',
    'The password comes from ~/.pgpass or PGPASSWORD. To restore, into an empty database:',
    '',
    `  pg_restore --no-owner --exit-on-error --dbname=${quoted(address)} ${quoted(file)}`,
    '',
    'Then check it with "npx bugle doctor".',
  ].join('\n')
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
