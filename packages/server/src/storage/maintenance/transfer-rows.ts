import { projectNumberOf } from '../../model/ids.ts'
import {
  LINE_KINDS,
  LINES,
  type LineKind,
  type LineOf,
  RETIRED_KINDS,
  type TransferLine,
} from '../../model/transfer/lines.ts'
import { type Dialect, isMerged } from '../dialects.ts'
import { codeOf, LANE_CODES } from '../issues/lane-codes.ts'
import type { Value } from '../operations.ts'
import { asIs, columnOf, type TableInfo } from '../tables/table-kinds.ts'
import { TABLES } from '../tables.ts'

export type Row = Readonly<Record<string, unknown>>

/** Runs a statement whose values are marked by `?`. */
export type Run = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** What differs between the databases. */
export interface TransferDialect {
  readonly name: 'sqlite' | 'postgres'
  /** Whether numbers are packed into one column together with the project. */
  readonly isPacked: boolean
  readonly current: Dialect['current']
  /** A value as inserted into a row. */
  toStored(value: Value): unknown
  /** The columns of projects that only this database has. */
  projectColumns(line: LineOf<'project'>): Row
}

export interface Condition {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The lines of a kind as rows of their table. */
export interface LineTable {
  readonly kind: LineKind
  readonly table: string
  /** The table, or the view, that has its current rows. */
  readonly source: string
  /** In the order of the line. */
  readonly columns: readonly string[]
  /** The sort order of the rows of a project. */
  readonly keyColumns: readonly string[]
  toLine(row: Row): TransferLine
  /** `seq` is the project's, or `null` if there is none. */
  toRow(line: TransferLine, seq: number | null): Row
  /** The rows of a project after the row with this key, in the order of the file. */
  pageConditions(seq: number | null, after: readonly unknown[] | null): readonly Condition[]
}

/** The tables in the order of the file. */
export function lineTables(dialect: TransferDialect): readonly LineTable[] {
  return LINE_KINDS.filter((kind) => !RETIRED_KINDS.includes(kind)).map((kind) => {
    const table = TABLES.find(({ lines }) => lines?.includes(kind))
    if (table === undefined) throw new TypeError(`no table has lines of the kind ${kind}`)
    return lineTable(kind, table, dialect)
  })
}

/** SQLite's keys: project × 2³² + number. */
const NUMBERS_PER_PROJECT = 2 ** 32

function lineTable(kind: LineKind, table: TableInfo, dialect: TransferDialect): LineTable {
  const packed: Readonly<Record<string, string>> = dialect.isPacked ? (table.packed ?? {}) : {}
  const nameOf = (field: string) => packed[field] ?? columnOf(field)
  const members = Object.keys(LINES[kind].properties).map((field) => {
    const known = table.columns[field] ?? asIs
    const { fromLine = known.encode, toLine = known.decode } = known
    return { field, name: nameOf(field), isPacked: packed[field] !== undefined, fromLine, toLine }
  })
  const keyColumns = table.key.filter((field) => field !== 'project').map(nameOf)
  const isByRow = packed[table.key[1] ?? ''] !== undefined

  return {
    kind,
    table: table.name,
    source: isMerged(table.name) ? dialect.current(table.name) : table.name,
    columns: members.map(({ name }) => name),
    keyColumns,
    toLine(row) {
      const line: Record<string, unknown> = { record: kind }
      for (const { field, name, isPacked, toLine } of members) {
        const stored = row[name]
        const value = isPacked && stored !== null ? Number(stored) % NUMBERS_PER_PROJECT : stored
        line[field] = value === null ? null : toLine(value)
      }
      return line as TransferLine
    },
    toRow(line, seq) {
      const row: Record<string, unknown> = {}
      for (const { field, name, isPacked, fromLine } of members) {
        // A file of an earlier release does not have fields that were added later.
        const said = (line as Row)[field] ?? null
        const value = said === null ? null : dialect.toStored(fromLine(said))
        row[name] = isPacked && value !== null ? (seq ?? 0) * NUMBERS_PER_PROJECT + Number(value) : value
      }
      const ownKey = seq === null || isByRow ? {} : { project: seq }
      return { ...row, ...derivedColumns(line, dialect), ...ownKey }
    },
    pageConditions(seq, after) {
      const values = after?.map(() => '?').join(', ')
      const behind = after && [{ text: `(${keyColumns.join(', ')}) > (${values})`, values: after }]
      // Keys may or may not have a project; people have none.
      if (seq === null) {
        const isOfNone = kind === 'instanceKey' ? [{ text: 'project IS NULL', values: [] }] : []
        return [...isOfNone, ...(behind ?? [])]
      }
      if (!isByRow) return [{ text: 'project = ?', values: [seq] }, ...(behind ?? [])]
      const [row] = keyColumns
      const end = { text: `${row} < ?`, values: [(seq + 1) * NUMBERS_PER_PROJECT] }
      // One lower bound instead of two: SQLite uses only the first one to start the scan.
      return [...(behind ?? [{ text: `${row} > ?`, values: [seq * NUMBERS_PER_PROJECT] }]), end]
    },
  }
}

/** Values that are stored but not part of a line, and a project's slug, which is set only when the import is complete. */
function derivedColumns(line: TransferLine, dialect: TransferDialect): Row {
  if (line.record === 'issue') {
    const lane = codeOf(line)
    // Only issues of the open lane are published, whatever the file says.
    return { lane, ...(lane !== LANE_CODES.open && { known_title: null, known_text: null }) }
  }
  if (line.record === 'seenValue') return { build_number: line.buildNumber ?? '' }
  if (line.record === 'view') return { is_shared: Number(line.isShared ?? false) }
  if (line.record !== 'project') return {}
  return {
    ordinal: projectNumberOf(line.id),
    slug: null,
    import_slug: line.slug,
    last_open_position: line.lastOpenPosition ?? line.lastEventPosition,
    expired_open_position: line.expiredOpenPosition ?? line.expiredPosition,
    last_label_number: line.lastLabelNumber ?? 0,
    ...dialect.projectColumns(line),
  }
}
