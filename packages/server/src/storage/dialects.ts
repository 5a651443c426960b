/**
 * The key of an issue or an event is its project and a number within the project. PostgreSQL has a column for
 * each; SQLite packs both into one integer, project × 2³² + number. A dialect provides the conditions on such
 * keys, and on lists.
 */
export interface Dialect {
  /** The sequence number of the project in service that `storedSeq` names. */
  seq(place: string): string
  /** The number in a key. */
  numberIn(key: Key): string
  /** The sort order of rows within a project. */
  orderOf(key: Key): string
  isKey(key: Key, project: string, number: string): string
  /** Whether two keys of this project are equal. */
  isSame(key: Key, other: Key, project: string): string
  /** Whether a key of this project is greater than a number. */
  isAfter(key: Key, project: string, number: string): string
  /** Whether a key is at most a number. Only in combination with one of the others. */
  isUpTo(key: Key, project: string, number: string): string
  /** Whether a key of this project has a number from the list. */
  isKeyIn(key: Key, project: string, list: string): string
  /** Whether a key of this project has a number that a query returns as `position`. */
  isKeyAmong(key: Key, project: string, query: string): string
  isIn(column: string, list: string): string
  /** Whether a query returns the value. */
  isAmong(column: string, query: string): string
  isIdIn(column: string, list: string): string
  /** The values of a list, numbers unless stated otherwise, as rows of one column. */
  rowsOf(list: string, column: string, type?: 'bigint' | 'text'): string
  /** The values of the rows of a group, as a JSON list. PostgreSQL returns NULL for a group without rows. */
  listOf(value: string): string
  /** The rows of a group as text: rows are separated by commas, columns by spaces, which no value may contain. */
  textOf(...columns: readonly string[]): string
  /** A column of the issue that a row `e` of `events` of project `$1` is about. */
  ofIssue(column: string): string
  /** After a table: the only index that the query may use, because SQLite might choose another one. */
  byIndex(name: string): string
  /** The table with the latest values: in PostgreSQL, they are in rows of their own until they are merged. */
  current(table: MergedTable): string
  /** The same for `counters`, for sums: a counter may have several rows. */
  readonly counts: string
  /**
   * The tables whose rows add up to the current ones, in each of which a key occurs once: a project has added rows of one generation at
   * most. Faster than {@link current} if many rows are read.
   */
  summedTables(table: 'counters' | 'seen_values'): readonly string[]
}

const MERGED_TABLES = ['projects', 'counters', 'seen_values'] as const

/** A table whose rows would otherwise be written again with every commit. */
export type MergedTable = (typeof MERGED_TABLES)[number]

export function isMerged(table: string): table is MergedTable {
  return MERGED_TABLES.some((name) => name === table)
}

/**
 * Identified by its column in PostgreSQL. For an event without an open position, its position is used. `i.number + 0` is the key as the
 * index on statuses has it: it has no order in common with the primary key, so PostgreSQL never reads that instead.
 */
export type Key =
  | 'i.number'
  | 'i.number + 0'
  | 'r.issue_number'
  | 'e.position'
  | 'e.open_position'
  | 'e.issue_number'

/** A statement whose text differs. */
export interface Texts {
  readonly sqlite: string
  readonly postgres: string
}

/** Generates the text for each database. */
export function forBoth(write: (dialect: Dialect) => string): Texts {
  return { sqlite: write(SQLITE), postgres: write(POSTGRES) }
}

export const POSTGRES: Dialect = {
  seq: (place) => place,
  numberIn: columnOf,
  orderOf: columnOf,
  isKey: (key, project, number) => `${isOf(key, project)} AND ${columnOf(key)} = ${number}`,
  // The caller names the project, because Citus refuses some nested queries in which only the outer one does.
  isSame: (key, other, project) => `${isOf(key, project)} AND ${columnOf(key)} = ${columnOf(other)}`,
  isAfter: (key, project, number) => `${isOf(key, project)} AND ${columnOf(key)} > ${number}`,
  isUpTo: (key, _, number) => `${columnOf(key)} <= ${number}`,
  isKeyIn: (key, project, list) => `${isOf(key, project)} AND ${columnOf(key)} = ANY (${list})`,
  // An array, so that PostgreSQL looks up the keys whatever its table statistics say.
  isKeyAmong: (key, project, query) => `${isOf(key, project)} AND ${columnOf(key)} = ANY (ARRAY(${query}))`,
  isIn: (column, list) => `${column} = ANY (${list})`,
  isAmong: (column, query) => `${column} = ANY (ARRAY(${query}))`,
  isIdIn: (column, list) => `${column} = ANY (${list})`,
  rowsOf: (list, column, type = 'bigint') => `unnest(${list}::${type}[]) AS ${column}`,
  listOf: (value) => `json_agg(${value})::text`,
  textOf: (...columns) => `string_agg(concat_ws(' ', ${columns.join(', ')}), ',')`,
  // A range and an order leave only the primary key, even in a plan that was made while the table was empty.
  ofIssue: (column) => `(SELECT i.${column} FROM issues i WHERE i.project = $1
    AND i.number BETWEEN e.issue_number AND e.issue_number ORDER BY i.number LIMIT 1)`,
  byIndex: () => '',
  current: (table) => `current_${table}`,
  counts: 'current_counts',
  summedTables: (table) => [table, table === 'counters' ? 'added_counts' : 'added_seen_values'],
}

function columnOf(key: Key): string {
  return key === 'e.open_position' ? 'coalesce(e.open_position, e.position)' : key
}

function isOf(key: Key, project: string): string {
  return `${key.slice(0, 1)}.project = ${project}`
}

/** The largest number in a key. */
const MAX_NUMBER = 2 ** 32 - 1

const ROWS: Readonly<Record<Key, string>> = {
  'i.number': 'i.row',
  'i.number + 0': 'i.row',
  'r.issue_number': 'r.issue_row',
  'e.position': 'e.row',
  'e.open_position': 'coalesce(e.open_row, e.row)',
  'e.issue_number': 'e.issue_row',
}

export const SQLITE: Dialect = {
  seq: (place) => `(SELECT seq FROM projects WHERE id = ${place} AND slug IS NOT NULL)`,
  numberIn: (key) => `(${ROWS[key]} & ${MAX_NUMBER})`,
  orderOf: (key) => ROWS[key],
  isKey: (key, project, number) => `${ROWS[key]} = (${project} << 32) + ${number}`,
  isSame: (key, other) => `${ROWS[key]} = ${ROWS[other]}`,
  isAfter: (key, project, number) =>
    `${ROWS[key]} > ${bounded(project, number)} AND ${ROWS[key]} < (${project} + 1) << 32`,
  isUpTo: (key, project, number) => `${ROWS[key]} <= ${bounded(project, number)}`,
  isKeyIn: (key, project, list) =>
    `${ROWS[key]} IN (SELECT (${project} << 32) + value FROM json_each(${list}))`,
  isKeyAmong: (key, project, query) =>
    `${ROWS[key]} IN (SELECT (${project} << 32) + q.position FROM (${query}) q)`,
  isIn: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  isAmong: (column, query) => `${column} IN (${query})`,
  isIdIn: (column, list) => `${column} IN (SELECT unhex(value) FROM json_each(${list}))`,
  rowsOf: (list, column) => `(SELECT value AS ${column} FROM json_each(${list}))`,
  listOf: (value) => `json_group_array(${value})`,
  textOf: (...columns) => `group_concat(concat_ws(' ', ${columns.join(', ')}))`,
  ofIssue: (column) => `(SELECT i.${column} FROM issues i WHERE i.row = e.issue_row)`,
  byIndex: (name) => `INDEXED BY ${name}`,
  current: (table) => table,
  counts: 'counters',
  summedTables: (table) => [table],
}

/** A number that is too large means the end of the project, not a key of the next one. */
function bounded(project: string, number: string): string {
  return `(${project} << 32) + min(${number}, ${MAX_NUMBER})`
}

/** The project that the first value of a statement names with `storedSeq`. */
export const SEQ = forBoth(({ seq }) => seq('$1'))
