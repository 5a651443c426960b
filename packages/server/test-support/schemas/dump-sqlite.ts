import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

/**
 * `node packages/server/test-support/schemas/dump-sqlite.ts FILE` prints a small database as SQL. The
 * fixtures next to it were created with it: before a migration is released, a database of the previous
 * version is added.
 */
export function dumpSqlite(path: string): string {
  using db = new DatabaseSync(path, { readOnly: true })
  const { own, filled, kept } = entriesOf(db)
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  return [
    ...own.map(({ sql }) => `${sql};`),
    // These have rows as soon as the other tables are created.
    ...kept.map(({ name }) => `DELETE FROM ${name};`),
    ...[...filled, ...kept].flatMap(({ name }) => rowsOf(db, name)),
    `PRAGMA user_version = ${user_version};`,
    '',
  ].join('\n')
}

/** The statements that create an empty database like this one. They do not write to tables that belong to SQLite or to the index. */
export function dumpSchema(db: DatabaseSync): readonly string[] {
  const { own, filled } = entriesOf(db)
  const settings = db
    .prepare("SELECT k AS name, v AS value FROM search_config WHERE k <> 'version'")
    .all() as unknown as readonly Setting[]
  return [
    ...own.map(({ sql }) => `${withoutComments(sql)};`),
    ...filled.flatMap(({ name }) => rowsOf(db, name)),
    ...settings.map(
      ({ name, value }) => `INSERT INTO search (search, rank) VALUES ('${name}', ${literal(value)});`,
    ),
  ]
}

/** On one line. No value in a schema contains two hyphens. */
function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ')
}

function entriesOf(db: DatabaseSync) {
  const entries = db
    .prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .all() as unknown as readonly Entry[]
  const isKept = ({ name }: Entry) => name.startsWith('search_') || name === SEQUENCE
  const own = entries.filter((entry) => !isKept(entry))
  return {
    own,
    filled: own.filter(({ sql, name }) => sql.startsWith('CREATE TABLE') && name !== 'search'),
    /** The tables that SQLite and the full-text index keep for themselves. */
    kept: entries.filter(isKept),
  }
}

const SEQUENCE = 'sqlite_sequence'

interface Entry {
  readonly name: string
  readonly sql: string
}

/** A setting of the full-text index. */
interface Setting {
  readonly name: string
  readonly value: SQLOutputValue
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
