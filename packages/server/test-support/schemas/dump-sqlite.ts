import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

/**
 * `node packages/server/test-support/schemas/dump-sqlite.ts FILE` prints a small database as SQL. The
 * fixtures next to it were created with it: before a migration is released, a database of the previous
 * version is added.
 */
export function dumpSqlite(path: string): string {
  using db = new DatabaseSync(path, { readOnly: true })
  const entries = db
    .prepare('SELECT name, sql FROM sqlite_schema ORDER BY rowid')
    .all() as unknown as readonly Entry[]
  const isShadow = ({ name }: Entry) => name.startsWith('search_')
  const own = entries.filter((entry) => entry.sql !== null && !isShadow(entry) && entry.name !== SEQUENCE)
  const filled = entries.filter(({ sql, name }) => /^CREATE TABLE/.test(sql ?? '') && name !== 'search')
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  return [
    ...own.map(({ sql }) => `${sql};`),
    // These two have rows as soon as the other tables are created.
    ...filled
      .filter((entry) => isShadow(entry) || entry.name === SEQUENCE)
      .map(({ name }) => `DELETE FROM ${name};`),
    ...filled.flatMap(({ name }) => rowsOf(db, name)),
    `PRAGMA user_version = ${user_version};`,
    '',
  ].join('\n')
}

const SEQUENCE = 'sqlite_sequence'

interface Entry {
  readonly name: string
  readonly sql: string | null
}

function rowsOf(db: DatabaseSync, table: string): readonly string[] {
  const select = db.prepare(`SELECT * FROM ${table}`)
  // The full-text index has keys that exceed the range of a JavaScript number.
  select.setReadBigInts(true)
  return select
    .all()
    .map((row) => `INSERT INTO ${table} VALUES (${Object.values(row).map(literal).join(', ')});`)
}

function literal(value: SQLOutputValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return typeof value === 'object' ? `X'${Buffer.from(value).toString('hex')}'` : String(value)
}

if (import.meta.main) process.stdout.write(dumpSqlite(process.argv[2] ?? ''))
