import { lineTables, type TransferDialect } from '../src/storage/maintenance/transfer-rows.ts'

/** What an export leaves out, and why. */
const LEFT_OUT: readonly (readonly [columns: RegExp, reason: string])[] = [
  [/^(links|sign_ins)\./, 'nobody stays signed in by way of a file'],
  [/^search/, 'made anew from the issues'],
  [/^deleted_issues\./, 'what deleted issues have left is not exported'],
  [
    /^(catalog|imports|schema_version|sqlite_sequence|nodes)\./,
    'about the database, not about what is in it',
  ],
  [/\.(seq|project|project_seq)$/, 'where a line is in the file says whose it is'],
  [/^projects\.(ordinal|import_slug|indexed_number)$/, 'follows from the id, or is only of this database'],
  [/^issues\.lane$/, 'follows from the category'],
]

/** The columns of a database, as `table.column`, that an export neither holds nor leaves out on purpose. */
export function forgottenColumns(columns: readonly string[], dialect: TransferDialect): readonly string[] {
  const held = new Set(
    lineTables(dialect).flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
  )
  return columns.filter((column) => !held.has(column) && !LEFT_OUT.some(([pattern]) => pattern.test(column)))
}
