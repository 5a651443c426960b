import { lineTables, type TransferDialect } from '../src/storage/maintenance/transfer-rows.ts'

/** The columns that an export omits, and why. */
const LEFT_OUT: readonly (readonly [columns: RegExp, reason: string])[] = [
  [/^(links|sign_ins|access_tokens)\./, 'a file must not keep anyone signed in'],
  [/^file_chunks\./, 'the bytes of files follow their lines, from whatever store they are in'],
  [/^files\.(object|is_suspect|is_damaged)$/, 'where this installation keeps a file, and in what state'],
  [/^projects\.file_bytes$/, 'follows from the files'],
  [/^audit_log\./, 'an import must not be able to write history'],
  [/^removed_files\./, 'what is no longer used is not exported'],
  [/^search/, 'rebuilt from the issues'],
  [/^deleted_labels\./, 'deleted labels are removed from issues, and no longer shown'],
  [/^bulk_changes\./, 'a retry goes to the installation that received the first request'],
  [/^sdk_(builds|files)\./, 'code that pages run comes from a release, never from a file'],
  [/^(sender_keys|blocked_senders)\.|\.sender$/, 'who sent a report is known here only, and not for long'],
  [/^deleted_issues\./, 'what deleted issues have left is not exported'],
  [
    /^(catalog|imports|schema_version|sqlite_sequence|nodes|unassignments|deleted_projects)\./,
    'about the database, not about what is in it',
  ],
  [/\.(seq|project|project_seq)$/, 'the position of a line in the file determines its owner'],
  [/^projects\.(ordinal|import_slug|indexed_number)$/, 'follows from the id, or is only of this database'],
  [/^issues\.lane$/, 'follows from the category, and whether it is spam'],
  [/^(project_heads|added_counts|added_seen_values)\./, 'exported with the rows that they are merged into'],
  [/^issues\.indexed_words$/, 'how far the index of this database has got'],
]

/** The columns of a database, as `table.column`, that an export neither contains nor omits deliberately. */
export function forgottenColumns(columns: readonly string[], dialect: TransferDialect): readonly string[] {
  const held = new Set(
    lineTables(dialect).flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
  )
  return columns.filter((column) => !held.has(column) && !LEFT_OUT.some(([pattern]) => pattern.test(column)))
}
