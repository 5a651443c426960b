import { PRIORITIES } from '@bugle/contract/vocabulary'
import { type IdPrefix, ordinalOf } from '../../model/ids.ts'
import { laneOf } from '../../model/lanes.ts'
import type { LineOf, TransferLine } from '../../model/transfer/lines.ts'
import { detailsOf, readDetails } from './event-rows.ts'
import { LANE_CODES, laneOfCode } from './issue-rows.ts'
import type { StoredForm, TransferTable } from './transfer-tables.ts'

export type Row = Readonly<Record<string, unknown>>

/** Runs a statement whose values are marked by `?`. */
export type Run = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** How a database stores what the lines say. The rest is the same for both. */
export interface TransferDialect {
  idForm(prefix: IdPrefix): Form
  readonly bytesForm: Form
  /** Of a member whose column is not the one of its name, because it holds the project too. */
  rowKeyOf(table: TransferTable, member: string): { readonly column: string; readonly form: Form } | undefined
  /** Which rows: those of a project, behind the row with this key. */
  pageConditions(table: BoundTable, seq: number, after: readonly unknown[] | null): readonly Condition[]
  /** The columns of a row that no member says. */
  ownColumns(table: TransferTable, line: TransferLine, seq: number | null): Row
}

export interface Condition {
  readonly text: string
  readonly values: readonly unknown[]
}

/** From the value of a column to that of a member, and back. */
export interface Form {
  decode(stored: unknown): unknown
  encode(said: unknown, seq: number): unknown
}

export interface BoundTable extends TransferTable {
  /** In the order of the members. */
  readonly columns: readonly string[]
  readonly keyColumns: readonly string[]
  toLine(row: Row): TransferLine
  /** `seq` is the project's, or `null` where there is none. */
  toRow(line: TransferLine, seq: number | null): Row
}

export function bindTable(table: TransferTable, dialect: TransferDialect): BoundTable {
  const columns = table.members.map((member) => {
    const form = table.forms[member]
    const rowKey = dialect.rowKeyOf(table, member)
    return rowKey
      ? { member, name: rowKey.column, form: rowKey.form }
      : { member, name: columnNameOf(member), form: form && formOf(form, dialect) }
  })
  const nameOf = new Map(columns.map(({ member, name }) => [member, name]))
  return {
    ...table,
    columns: columns.map(({ name }) => name),
    keyColumns: table.key.map((member) => nameOf.get(member) ?? member),
    toLine(row) {
      const line: Record<string, unknown> = { record: table.kind }
      for (const { member, name, form } of columns) {
        const stored = row[name]
        line[member] = form === undefined || stored === null ? stored : form.decode(stored)
      }
      return line as TransferLine
    },
    toRow(line, seq) {
      const row: Record<string, unknown> = {}
      for (const { member, name, form } of columns) {
        // A file of an earlier release does not say what came later.
        const said = (line as Row)[member] ?? null
        row[name] = form === undefined || said === null ? said : form.encode(said, seq ?? 0)
      }
      return { ...row, ...derivedColumns(line), ...dialect.ownColumns(table, line, seq) }
    },
  }
}

/** That a row comes after the one with this key, in the order of the file. */
export function behind({ keyColumns }: BoundTable, after: readonly unknown[] | null): readonly Condition[] {
  if (after === null) return []
  return [{ text: `(${keyColumns.join(', ')}) > (${after.map(() => '?').join(', ')})`, values: after }]
}

/** `createdAt` is `created_at`. */
function columnNameOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** What both databases store beside what a line says, and a project's slug, which it has only once all of it is there. */
function derivedColumns(line: TransferLine): Row {
  if (line.record === 'issue') return { lane: LANE_CODES[laneOf(line.category)] }
  if (line.record === 'project') {
    return {
      ordinal: ordinalOf(line.id),
      slug: null,
      import_slug: line.slug,
      last_open_position: line.lastOpenPosition ?? line.lastEventPosition,
      expired_open_position: line.expiredOpenPosition ?? line.expiredPosition,
    }
  }
  return {}
}

function formOf(form: StoredForm, dialect: TransferDialect): Form {
  if (form === 'bytes') return dialect.bytesForm
  return SHARED_FORMS[form as keyof typeof SHARED_FORMS] ?? dialect.idForm(form as IdPrefix)
}

type Lane = LineOf<'event'>['lane']
type Priority = LineOf<'issue'>['priority']
type Details = NonNullable<LineOf<'event'>['details']>

const SHARED_FORMS = {
  json: { decode: (stored) => JSON.parse(stored as string), encode: (said) => JSON.stringify(said) },
  flag: { decode: Boolean, encode: Number },
  lane: { decode: (stored) => laneOfCode(stored as number), encode: (said) => LANE_CODES[said as Lane] },
  priority: {
    decode: (stored) => PRIORITIES[stored as number],
    encode: (said) => PRIORITIES.indexOf(said as Priority),
  },
  details: {
    decode(stored): Details {
      const [changes, note, reason, deletedIssueId = null, confirmed = null] = readDetails(stored as string)
      return { changes: [...changes] as Details['changes'], note, reason, deletedIssueId, confirmed }
    },
    encode(said) {
      const { deletedIssueId, confirmed, ...details } = said as Details
      return detailsOf({ ...details, confirmed: confirmed ?? true }, deletedIssueId ?? undefined)
    },
  },
} as const satisfies Partial<Record<StoredForm, Form>>
