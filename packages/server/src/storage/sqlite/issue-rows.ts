import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { EXCERPT_CHARS } from '@bugle/contract/vocabulary'
import { encodeId, idToBytes, type ProjectId } from '../../model/ids.ts'
import type { ListedIssue } from '../../model/issue-lists.ts'
import type { IssueRecord } from '../../model/issues.ts'
import {
  asListed,
  CHANGEABLE_COLUMNS,
  changeableColumns,
  FIXED_COLUMNS,
  fixedColumns,
  type IssueColumns,
  toIssue as toRecord,
} from '../sql/issue-rows.ts'
import { numberOf } from './row-keys.ts'

/** In the order of {@link IssueRow}. */
const COLUMNS = ['row', 'id', ...CHANGEABLE_COLUMNS, ...FIXED_COLUMNS] as const

interface NamedRow extends IssueColumns {
  readonly row: number
  readonly id: Uint8Array
}

/** A row by the places of its values. Rows by name are dictionaries here: with so many columns they take twice as long, and more to hand to another thread. */
export type IssueRow = ValuesOf<typeof COLUMNS>
type ValuesOf<Names extends readonly (keyof NamedRow)[]> = { readonly [I in keyof Names]: NamedRow[Names[I]] }

export interface IssueReads {
  get(...values: SQLInputValue[]): IssueRow | undefined
  all(...values: SQLInputValue[]): readonly IssueRow[]
}

/** Prepares a query for whole issues; `from` says which of the rows `i`. */
export function prepareIssueReads(db: DatabaseSync, from: string): IssueReads {
  return prepareReads(
    db,
    COLUMNS.map((name) => `i.${name}`),
    from,
  )
}

/** The same, for lists: see {@link toListedIssue}. */
export function prepareListReads(db: DatabaseSync, from: string): IssueReads {
  return prepareReads(
    db,
    COLUMNS.map((name) => LISTED[name] ?? `i.${name}`),
    from,
  )
}

const LISTED: Partial<Record<(typeof COLUMNS)[number], string>> = {
  description: `substr(i.description, 1, ${EXCERPT_CHARS})`,
  metadata: 'NULL',
}

function prepareReads(db: DatabaseSync, columns: readonly string[], from: string): IssueReads {
  const select = db.prepare(`SELECT ${columns.join(', ')} FROM issues i ${from}`)
  select.setReturnArrays(true)
  return {
    get: (...values) => select.get(...values) as unknown as IssueRow | undefined,
    all: (...values) => select.all(...values) as unknown as readonly IssueRow[],
  }
}

export function toIssue(row: IssueRow, projectId: ProjectId): IssueRecord {
  const [key, id] = row
  return toRecord(named(row), { id: encodeId('iss', id), projectId, issueNumber: numberOf(key) })
}

export function toListedIssue(row: IssueRow, projectId: ProjectId): ListedIssue {
  return asListed(toIssue(row, projectId))
}

/** In the order of {@link CHANGEABLE_COLUMNS}. */
export function changeableValues(issue: IssueRecord): SQLInputValue[] {
  const columns = changeableColumns(issue)
  return CHANGEABLE_COLUMNS.map((column) => columns[column])
}

/** The id, then in the order of {@link FIXED_COLUMNS}. */
export function fixedValues(issue: IssueRecord): SQLInputValue[] {
  const columns = fixedColumns(issue)
  return [idToBytes(issue.id), ...FIXED_COLUMNS.map((column) => columns[column])]
}

/** Written out: a loop over the names would make a dictionary again. */
function named(values: IssueRow): NamedRow {
  return {
    row: values[0],
    id: values[1],
    lane: values[2],
    status: values[3],
    category: values[4],
    priority: values[5],
    title: values[6],
    description: values[7],
    fingerprint: values[8],
    report_count: values[9],
    last_reported_at: values[10],
    fixed_in_version: values[11],
    fixed_in_build: values[12],
    resolved_at: values[13],
    first_left_open_at: values[14],
    first_resolved_at: values[15],
    updated_at: values[16],
    version: values[17],
    unconfirmed_version: values[18],
    app_version: values[19],
    build_number: values[20],
    os_version: values[21],
    device_model: values[22],
    platform: values[23],
    branch: values[24],
    occurred_at: values[25],
    metadata: values[26],
    sdk_name: values[27],
    sdk_version: values[28],
    submission_id: values[29],
    created_at: values[30],
  }
}
