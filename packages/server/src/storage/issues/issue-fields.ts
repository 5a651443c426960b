import { type Category, DEFAULT_PRIORITY, PRIORITIES, type Priority } from '@bugle/contract/vocabulary'
import type { FixedIn, StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import type { ReportContent } from '../../model/reports.ts'
import { LANE_CODES } from './lane-codes.ts'

/** A field of an issue: where it is stored, and which records have it. */
interface IssueField {
  /** Of the issue; its column has the same name in the spelling of SQL, unless there are others. */
  readonly columns?: readonly string[]
  /** The values of the columns, and back. Without them, the only column has the value itself. */
  readonly encode?: (value: never) => readonly Stored[]
  readonly decode?: (...stored: never[]) => unknown
  readonly isChangeable?: true
  /** The report that becomes an issue says it. */
  readonly isReported?: true
  /** Each report that joins an issue has its own. */
  readonly isOnReports?: true
  /** Lists do not show it, and so do not read it. */
  readonly isUnlisted?: true
}

export type Stored = string | number | null

/**
 * AN ISSUE'S FIELDS. Row mapping, inserts, updates, the way to the writer's thread and the table of reports are derived from
 * it. A new field is an entry here, and a column in a migration for each database.
 */
const FIELDS = {
  status: { isChangeable: true },
  category: {
    columns: ['category', 'lane'],
    encode: (category: Category) => [category, LANE_CODES[laneOf(category)]],
    decode: (category: Category) => category,
    isChangeable: true,
    isReported: true,
  },
  priority: {
    encode: (priority: Priority) => [PRIORITIES.indexOf(priority)],
    decode: (code: number) => PRIORITIES[code] ?? DEFAULT_PRIORITY,
    isChangeable: true,
    isReported: true,
  },
  title: { isChangeable: true, isReported: true },
  description: { isChangeable: true, isReported: true, isUnlisted: true },
  fingerprint: { isChangeable: true, isReported: true },
  reportCount: { isChangeable: true },
  lastReportedAt: { isChangeable: true },
  fixedIn: {
    columns: ['fixed_in_version', 'fixed_in_build'],
    encode: (fixedIn: FixedIn | null) => [fixedIn?.appVersion ?? null, fixedIn?.buildNumber ?? null],
    decode: (appVersion: string | null, buildNumber: string | null) =>
      appVersion === null ? null : { appVersion, buildNumber },
    isChangeable: true,
  },
  resolvedAt: { isChangeable: true, isUnlisted: true },
  firstLeftOpenAt: { isChangeable: true, isUnlisted: true },
  firstResolvedAt: { isChangeable: true, isUnlisted: true },
  updatedAt: { isChangeable: true },
  version: { isChangeable: true },
  unconfirmedVersion: { isChangeable: true, isUnlisted: true },
  appVersion: { isReported: true, isOnReports: true },
  buildNumber: { isReported: true, isOnReports: true },
  osVersion: { isReported: true, isOnReports: true },
  deviceModel: { isReported: true, isOnReports: true },
  platform: { isReported: true, isOnReports: true },
  branch: { isReported: true, isOnReports: true },
  occurredAt: { isReported: true, isOnReports: true },
  metadata: {
    encode: (metadata: ReportContent['metadata']) => [metadata && JSON.stringify(metadata)],
    decode: (text: string | null) => text && JSON.parse(text),
    isReported: true,
    isUnlisted: true,
  },
  sdk: {
    columns: ['sdk_name', 'sdk_version'],
    encode: (sdk: ReportContent['sdk']) => [sdk?.name ?? null, sdk?.version ?? null],
    decode: (name: string | null, version: string | null) =>
      name === null ? null : { name, version: version ?? '' },
    isReported: true,
    isUnlisted: true,
  },
  submissionId: { isOnReports: true, isUnlisted: true },
  createdAt: {},
} as const satisfies {
  readonly [F in Exclude<
    keyof StoredIssue,
    'id' | 'projectId' | 'issueNumber'
  >]: F extends keyof ReportContent ? IssueField & { readonly isReported: true } : IssueField
}

/** Some of the fields, in their order, as values of columns. */
export interface FieldSet {
  readonly columns: readonly string[]
  /** The values of a record, in the order of the columns. */
  valuesOf(record: object): Stored[]
  /** The same, by column. */
  rowOf(record: object): Record<string, Stored>
  /** Sets the fields of a record from the values, the first of which is at this index. The record must have the fields already. */
  fill(record: Record<string, unknown>, values: readonly unknown[], first: number): void
  /** A record with these fields, all of them `null`. */
  readonly emptyRecord: Readonly<Record<string, null>>
}

const entries: readonly (readonly [string, IssueField])[] = Object.entries(FIELDS)

export const CHANGEABLE = fieldSet(({ isChangeable }) => isChangeable === true)
/** Those that never change. */
export const FIXED = fieldSet(({ isChangeable }) => isChangeable === undefined)
export const REPORTED = fieldSet(({ isReported }) => isReported === true)
export const LISTED = fieldSet(({ isUnlisted }) => isUnlisted === undefined)
export const ON_REPORTS = fieldSet(({ isOnReports }) => isOnReports === true)

function fieldSet(isPart: (field: IssueField) => boolean): FieldSet {
  const parts = entries
    .filter(([, field]) => isPart(field))
    .map(([name, { columns = [columnOf(name)], encode, decode }]) => ({ name, columns, encode, decode }))
  const columns = parts.flatMap((part) => part.columns)
  const emptyRow: Record<string, Stored> = emptyObject(columns)

  function valuesOf(record: object): Stored[] {
    const values: Stored[] = []
    for (const { name, encode } of parts) {
      const value = (record as Record<string, unknown>)[name]
      if (encode === undefined) values.push(value as Stored)
      else values.push(...encode(value as never))
    }
    return values
  }

  return {
    columns,
    valuesOf,
    rowOf(record) {
      const row = { ...emptyRow }
      const values = valuesOf(record)
      for (let index = 0; index < values.length; index++) row[columns[index] ?? ''] = values[index] ?? null
      return row
    },
    fill(record, values, first) {
      let index = first
      for (const part of parts) {
        const { decode } = part
        const width = part.columns.length
        if (decode === undefined) record[part.name] = values[index]
        else if (width === 1) record[part.name] = decode(values[index] as never)
        else record[part.name] = decode(values[index] as never, values[index + 1] as never)
        index += width
      }
    },
    emptyRecord: emptyObject(parts.map(({ name }) => name)),
  }
}

/** To be copied and then filled: an object that grows field by field becomes a dictionary, which is slower. */
export function emptyObject(names: readonly string[]): Record<string, null> {
  return JSON.parse(`{${names.map((name) => `"${name}":null`).join(',')}}`) as Record<string, null>
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
