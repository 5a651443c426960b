import {
  type Category,
  DEFAULT_PRIORITY,
  mapReportFields,
  PRIORITIES,
  type Priority,
} from '@bugle/contract/vocabulary'
import type { IssueId } from '../../model/ids.ts'
import type { FixedIn, Known, StoredIssue } from '../../model/issues.ts'
import type { ReportContent } from '../../model/reports/reports.ts'
import { readLabels, storedLabels } from './label-columns.ts'
import { codeOf } from './lane-codes.ts'
import { hexOfId, idOfHex } from './merging/hex-ids.ts'

/** A field of an issue: its columns, and the records that contain it. */
interface IssueField {
  /** Columns of the issue. By default, one column with the field's name in snake case. */
  readonly columns?: readonly string[]
  /** The PostgreSQL types of the columns. By default, `text`. */
  readonly types?: readonly ColumnType[]
  /** The column holds JSON. */
  readonly isJson?: true
  /** Converts the field of a record to column values; `decode` converts them back. Without them, the column holds the value. */
  readonly encode?: (value: never, record: never) => readonly Stored[]
  readonly decode?: (...stored: never[]) => unknown
  readonly isChangeable?: true
  /** Changed by further reports, which change nothing else unless they reopen the issue. */
  readonly isCounted?: true
  /** Changed by a bulk change. */
  readonly isTriaged?: true
  /** Changed when an issue is marked as spam. */
  readonly isMarked?: true
  /** May be long, and is not needed for a bulk change. */
  readonly isLong?: true
  /** Taken from the report that creates the issue. */
  readonly isReported?: true
  /** Each report that joins an issue has its own value. */
  readonly isOnReports?: true
  /** Not shown in lists, so lists do not read it. */
  readonly isUnlisted?: true
}

export type Stored = string | number | null

type ColumnType = 'text' | 'smallint' | 'integer' | 'bigint'

const SMALLINT = { types: ['smallint'] } as const
const INTEGER = { types: ['integer'] } as const
/** A time, in milliseconds. */
const TIME = { types: ['bigint'] } as const

/** A count that is NULL while it is zero. */
const COUNT_OR_NULL = {
  ...INTEGER,
  encode: (count: number): readonly Stored[] => [count || null],
  decode: (count: number | null): number => count ?? 0,
}

/** The id of an issue, in hexadecimal: both databases can compare it with their own form of an id. */
const ID_OR_NULL = {
  encode: (id: IssueId | null): readonly Stored[] => [id && hexOfId(id)],
  decode: (hex: string | null): IssueId | null => (hex === null ? null : idOfHex(hex)),
}

/** An object, as JSON. */
const JSON_OR_NULL = {
  isJson: true as const,
  encode: (value: object | null): readonly Stored[] => [value && JSON.stringify(value)],
  decode: (text: string | null): unknown => text && JSON.parse(text),
}

/**
 * AN ISSUE'S FIELDS. Row mapping, inserts, updates, messages to the writer thread and the reports table are derived
 * from this object. To add a field, add an entry here and a column in a migration for each database. A text field of
 * reports is added to `vocabulary/report-fields.ts` instead of here.
 */
const FIELDS = {
  status: { isChangeable: true, isTriaged: true },
  category: {
    columns: ['category', 'lane'],
    types: ['text', 'smallint'],
    encode: (category: Category, record: { readonly spamAt?: number | null }) => [
      category,
      codeOf({ category, spamAt: record.spamAt ?? null }),
    ],
    decode: (category: Category) => category,
    isChangeable: true,
    isMarked: true,
    isReported: true,
  },
  priority: {
    ...SMALLINT,
    encode: (priority: Priority) => [PRIORITIES.indexOf(priority)],
    decode: (code: number) => PRIORITIES[code] ?? DEFAULT_PRIORITY,
    isChangeable: true,
    isTriaged: true,
    isReported: true,
  },
  title: { isChangeable: true, isReported: true },
  description: { isChangeable: true, isReported: true, isUnlisted: true, isLong: true },
  fingerprint: { isChangeable: true, isMarked: true, isReported: true },
  reportCount: { ...INTEGER, isChangeable: true, isCounted: true },
  reporterCount: { ...COUNT_OR_NULL, isChangeable: true, isCounted: true },
  lastReportedAt: { ...TIME, isChangeable: true, isCounted: true },
  duplicateOf: { ...ID_OR_NULL, isChangeable: true, isTriaged: true },
  statusBeforeMerge: { isChangeable: true, isTriaged: true, isUnlisted: true },
  duplicateCount: { ...COUNT_OR_NULL, isChangeable: true, isCounted: true },
  duplicateReports: { ...COUNT_OR_NULL, isChangeable: true, isCounted: true, isUnlisted: true },
  ownReportedAt: { ...TIME, isChangeable: true, isCounted: true, isUnlisted: true },
  // Most issues have none: without a value, they need not be written.
  deletedReports: { ...COUNT_OR_NULL, isChangeable: true, isUnlisted: true },
  editedAt: { ...TIME, isChangeable: true, isUnlisted: true },
  reportWords: { ...COUNT_OR_NULL, isChangeable: true, isCounted: true, isUnlisted: true },
  commentCount: { ...COUNT_OR_NULL, isChangeable: true },
  messageCount: { ...COUNT_OR_NULL, isChangeable: true, isUnlisted: true },
  conversation: { isChangeable: true },
  fixedIn: {
    columns: ['fixed_in_version', 'fixed_in_build'],
    encode: (fixedIn: FixedIn | null) => [fixedIn?.appVersion ?? null, fixedIn?.buildNumber ?? null],
    decode: (appVersion: string | null, buildNumber: string | null) =>
      appVersion === null ? null : { appVersion, buildNumber },
    isChangeable: true,
  },
  known: {
    columns: ['known_title', 'known_text'],
    encode: (known: Known | null) => [known?.title ?? null, known?.text ?? null],
    decode: (title: string | null, text: string | null) =>
      title === null ? null : { title, text: text ?? '' },
    isChangeable: true,
    isMarked: true,
    isUnlisted: true,
  },
  assigneeId: { isChangeable: true, isTriaged: true },
  labels: {
    encode: (labels: readonly number[]) => [storedLabels(labels)],
    decode: readLabels,
    isChangeable: true,
    isTriaged: true,
  },
  lastSeenIn: {
    columns: ['last_seen_version', 'last_seen_build'],
    encode: (lastSeenIn: FixedIn | null) => [lastSeenIn?.appVersion ?? null, lastSeenIn?.buildNumber ?? null],
    decode: (appVersion: string | null, buildNumber: string | null) =>
      appVersion === null ? null : { appVersion, buildNumber },
    isChangeable: true,
    isCounted: true,
  },
  onDefaultBranch: {
    ...SMALLINT,
    encode: (isOn: boolean | null) => [isOn === null ? null : Number(isOn)],
    decode: (code: number | null) => (code === null ? null : code === 1),
    isChangeable: true,
    isCounted: true,
  },
  resolvedAt: { ...TIME, isChangeable: true, isTriaged: true, isUnlisted: true },
  firstLeftOpenAt: { ...TIME, isChangeable: true, isTriaged: true, isUnlisted: true },
  firstResolvedAt: { ...TIME, isChangeable: true, isTriaged: true, isUnlisted: true },
  spamAt: { ...TIME, isChangeable: true, isMarked: true },
  updatedAt: { ...TIME, isChangeable: true, isTriaged: true, isMarked: true },
  version: { ...INTEGER, isChangeable: true, isTriaged: true, isMarked: true },
  unconfirmedVersion: { isChangeable: true, isTriaged: true, isUnlisted: true },
  ...mapReportFields(() => ({ isReported: true, isOnReports: true }) as const),
  occurredAt: { ...TIME, isReported: true, isOnReports: true },
  metadata: { ...JSON_OR_NULL, isReported: true, isOnReports: true, isUnlisted: true, isLong: true },
  context: { ...JSON_OR_NULL, isReported: true, isOnReports: true, isUnlisted: true, isLong: true },
  reporter: { ...JSON_OR_NULL, isReported: true, isOnReports: true, isUnlisted: true, isLong: true },
  reporterKeyHash: { isReported: true, isOnReports: true, isUnlisted: true },
  sdk: {
    columns: ['sdk_name', 'sdk_version'],
    encode: (sdk: ReportContent['sdk']) => [sdk?.name ?? null, sdk?.version ?? null],
    decode: (name: string | null, version: string | null) =>
      name === null ? null : { name, version: version ?? '' },
    isReported: true,
    isOnReports: true,
    isUnlisted: true,
  },
  submissionId: { isOnReports: true, isUnlisted: true },
  sender: { isOnReports: true, isUnlisted: true },
  createdAt: TIME,
} as const satisfies {
  readonly [F in Exclude<
    keyof StoredIssue,
    'id' | 'projectId' | 'issueNumber'
  >]: F extends keyof ReportContent ? IssueField & { readonly isReported: true } : IssueField
}

/** A subset of the fields, in order, as column values. */
export interface FieldSet {
  readonly columns: readonly string[]
  /** The columns with their PostgreSQL types, as in `title text`. */
  readonly definitions: readonly string[]
  /** The columns that hold JSON. */
  readonly jsonColumns: readonly string[]
  /** The column values of a record, in column order. */
  valuesOf(record: object): Stored[]
  /** Appends the column values of a record to `values`. */
  addValuesOf(record: object, values: unknown[]): void
  /** The same, by column, to be sent as JSON: NULL is absent, because what is not sent need not be parsed. */
  rowOf(record: object): Record<string, Stored | undefined>
  /** Whether two records have the same values. */
  isSame(one: object, other: object): boolean
  /** Sets the fields of a record from the values, starting at index `first`. The record must already have them. */
  fill(record: Record<string, unknown>, values: readonly unknown[], first: number): void
  /** A record with these fields, all of them `null`. */
  readonly emptyRecord: Readonly<Record<string, null>>
}

const entries: readonly (readonly [string, IssueField])[] = Object.entries(FIELDS)

export const CHANGEABLE = fieldSet(({ isChangeable }) => isChangeable === true)
/** Fields that further reports change. */
export const COUNTED = fieldSet(({ isCounted }) => isCounted === true)
/** Fields that only people change, or a report that reopens the issue. */
export const EDITED = fieldSet(({ isChangeable, isCounted }) => isChangeable === true && !isCounted)
/** Fields that bulk changes set, and that follow from those. */
export const TRIAGED = fieldSet(({ isTriaged }) => isTriaged === true)
/** Fields that change when an issue is marked as spam. */
export const MARKED = fieldSet(({ isMarked }) => isMarked === true)
/** Fields that may be long, and that bulk changes do not read. */
export const LONG = fieldSet(({ isLong }) => isLong === true)
/** Fields that never change. */
export const FIXED = fieldSet(({ isChangeable }) => isChangeable === undefined)
export const REPORTED = fieldSet(({ isReported }) => isReported === true)
export const LISTED = fieldSet(({ isUnlisted }) => isUnlisted === undefined)
export const ON_REPORTS = fieldSet(({ isOnReports }) => isOnReports === true)

function fieldSet(isPart: (field: IssueField) => boolean): FieldSet {
  const parts = entries
    .filter(([, field]) => isPart(field))
    .map(([name, { columns = [columnOf(name)], types, isJson, encode, decode }]) => {
      return { name, columns, types, isJson, encode, decode }
    })
  const columns = parts.flatMap((part) => part.columns)
  const emptyRow: Record<string, Stored> = emptyObject(columns)

  function addValuesOf(record: object, values: unknown[]): void {
    for (const { name, encode } of parts) {
      const value = (record as Record<string, unknown>)[name]
      if (encode === undefined) values.push(value)
      else for (const stored of encode(value as never, record as never)) values.push(stored)
    }
  }

  function valuesOf(record: object): Stored[] {
    const values: Stored[] = []
    addValuesOf(record, values)
    return values
  }

  return {
    columns,
    definitions: parts.flatMap(({ columns, types }) =>
      columns.map((column, index) => `${column} ${types?.[index] ?? 'text'}`),
    ),
    jsonColumns: parts.flatMap(({ columns, isJson }) => (isJson ? columns : [])),
    valuesOf,
    addValuesOf,
    rowOf(record) {
      const row: Record<string, Stored | undefined> = { ...emptyRow }
      const values = valuesOf(record)
      for (let index = 0; index < values.length; index++)
        row[columns[index] ?? ''] = values[index] ?? undefined
      return row
    },
    isSame: (one: Record<string, unknown>, other: Record<string, unknown>) =>
      parts.every(({ name }) => one[name] === other[name]),
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

/** A template to copy and fill. An object that grows field by field becomes a dictionary, which is slower. */
export function emptyObject(names: readonly string[]): Record<string, null> {
  return JSON.parse(`{${names.map((name) => `"${name}":null`).join(',')}}`) as Record<string, null>
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
