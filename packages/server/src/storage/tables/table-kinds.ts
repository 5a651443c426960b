import { PRIORITIES } from '@bugle/contract/vocabulary'
import type { IdPrefix, IssueId } from '../../model/ids.ts'
import type { LineKind } from '../../model/transfer/lines.ts'
import { fromLineDetails, toLineDetails } from '../issues/event-rows.ts'
import { emptyObject, type FieldSet } from '../issues/issue-fields.ts'
import { readLabels, storedLabels } from '../issues/label-columns.ts'
import { CODES } from '../issues/lane-codes.ts'
import { hexOfId, idOfHex } from '../issues/merging/hex-ids.ts'
import { readId, storedId, type Value } from '../operations.ts'

/** A table of both databases. The field `createdAt` is the column `created_at`. */
export interface TableInfo {
  readonly name: string
  /** The owner that its rows are deleted with. */
  readonly owner: 'issue' | 'project' | 'user' | 'instance'
  /** The fields of the primary key. */
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, Kind>>
  /** Fields that SQLite packs into one column together with the project, which then has no separate column. */
  readonly packed?: Readonly<Record<string, string>>
  /** The lines of an export that its rows become; none: they are not exported. */
  readonly lines?: readonly LineKind[]
  readonly isOnlyIn?: 'sqlite' | 'postgres'
  /** Its rows belong to projects, but a cluster does not distribute them: there are few, and they are read together with those of other projects. */
  readonly isOnCoordinator?: true
}

/** A table whose rows are records. */
export interface Table<R> extends TableInfo {
  /** Stores the record whose values are passed. */
  readonly insert: string
  /** Replaces the record with the same key. Takes the same values. */
  readonly update: string
  /** The values of a record, in the order of `insert`. */
  valuesOf(record: R): Value[]
  /** The record in a row. */
  recordOf(row: object): R
}

/** How a field is stored in a column, and how it is exported. Absence is always NULL. */
export interface Kind {
  encode(value: unknown): Value
  decode(stored: unknown): unknown
  /** For fields whose exported form differs from the record. */
  readonly fromLine?: (said: unknown) => Value
  readonly toLine?: (stored: unknown) => unknown
}

export const asIs: Kind = { encode: (value) => value as Value, decode: (stored) => stored }
export const bytes: Kind = {
  ...asIs,
  // PostgreSQL returns a Buffer.
  decode: (stored) => new Uint8Array(stored as Uint8Array),
  fromLine: (said) => Buffer.from(said as string, 'hex'),
  toLine: (stored) => Buffer.from(stored as Uint8Array).toString('hex'),
}
export const json: Kind = {
  encode: (value) => JSON.stringify(value),
  decode: (stored) => JSON.parse(stored as string),
}
// SQLite has no booleans; PostgreSQL reads 0 and 1 as such.
export const flag: Kind = { encode: Number, decode: Boolean }
const CODE_NAMES = Object.keys(CODES)
export const lane: Kind = {
  encode: (value) => CODES[value as keyof typeof CODES],
  decode: (stored) => CODE_NAMES[stored as number],
}
export const priority: Kind = {
  encode: (value) => PRIORITIES.indexOf(value as (typeof PRIORITIES)[number]),
  decode: (stored) => PRIORITIES[stored as number],
}
export const details: Kind = { ...asIs, fromLine: fromLineDetails, toLine: toLineDetails }

/** Labels of an issue: in a file they are a list. */
export const labelNumbers: Kind = {
  ...asIs,
  fromLine: (said) => storedLabels(said as readonly number[]),
  toLine: (stored) => readLabels(stored as string),
}

/** The id of an issue that a row refers to. */
export const issueIdInHex: Kind = {
  encode: (value) => hexOfId(value as IssueId),
  decode: (stored) => idOfHex(stored as string),
  fromLine: (said) => hexOfId(said as IssueId),
  toLine: (stored) => idOfHex(stored as string),
}

export function id(prefix: IdPrefix): Kind {
  return { encode: (value) => storedId(value as string), decode: (stored) => readId(prefix, stored) }
}

/** Fields that are stored as they are, with spaces between them. */
export function plain<S extends string>(fields: S): Readonly<Record<Words<S>, Kind>> {
  return Object.fromEntries(fields.split(' ').map((field) => [field, asIs])) as Record<Words<S>, Kind>
}

/** The columns of fields of issues. */
export function columnsOfFields({ columns, jsonColumns }: FieldSet): Readonly<Record<string, Kind>> {
  const kindOf = (column: string) => (jsonColumns.includes(column) ? json : asIs)
  return Object.fromEntries(columns.map((column) => [fieldOf(column), kindOf(column)]))
}

type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S

type Given = Omit<TableInfo, 'columns'> & {
  /** Columns that are not part of the record. */
  readonly others?: Readonly<Record<string, Kind>>
}

/** Describes a table by the columns of its records. */
export function table<R extends object>(
  { others = {}, ...info }: Given,
  kinds: { readonly [F in keyof R]-?: Kind },
): Table<R> {
  const fields = Object.entries<Kind>(kinds)
  const names = fields.map(([field]) => columnOf(field))
  const equations = fields.map(([field], index) => ({
    text: `${names[index]} = $${index + 1}`,
    isKey: info.key.includes(field),
  }))
  const textsOf = (isKey: boolean) =>
    equations.filter((equation) => equation.isKey === isKey).map(({ text }) => text)
  const places = names.map((_, index) => `$${index + 1}`)
  const parts = fields.map(([field, kind], index) => ({ field, name: names[index] ?? '', kind }))
  const empty = emptyObject(parts.map(({ field }) => field))
  return {
    ...info,
    columns: { ...kinds, ...others },
    insert: `INSERT INTO ${info.name} (${names.join(', ')}) VALUES (${places.join(', ')})`,
    update: `UPDATE ${info.name} SET ${textsOf(false).join(', ')} WHERE ${textsOf(true).join(' AND ')}`,
    valuesOf(record) {
      const values: Value[] = []
      for (const { field, kind } of parts) {
        const value = record[field as keyof R]
        values.push(value === null ? null : kind.encode(value))
      }
      return values
    },
    recordOf(row) {
      const record: Record<string, unknown> = { ...empty }
      for (const { field, name, kind } of parts) {
        const stored = (row as Readonly<Record<string, unknown>>)[name]
        record[field] = stored === null ? null : kind.decode(stored)
      }
      return record as R
    },
  }
}

/** `createdAt` is `created_at`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function fieldOf(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
