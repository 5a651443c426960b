import type { IdPrefix } from '../model/ids.ts'
import type { KeyRecord } from '../model/keys.ts'
import type { ProjectRecord } from '../model/projects.ts'
import type { LinkRecord, SignInRecord, UserRecord, ViewRecord } from '../model/users.ts'
import { readId, storedId, type Value } from './operations.ts'

/** A table whose rows are records of the model: the field `createdAt` is the column `created_at`. */
export interface Table<R> {
  readonly name: string
  /** Stores the record whose values are passed. */
  readonly insert: string
  /** The values of a record, in the order of `insert`. */
  valuesOf(record: R): Value[]
  /** The record in a row. */
  recordOf(row: object): R
}

/** How a field is stored in a column. Absence is always NULL. */
interface Kind {
  encode(value: unknown): Value
  decode(stored: unknown): unknown
}

const plain: Kind = { encode: (value) => value as Value, decode: (stored) => stored }
// PostgreSQL returns a Buffer.
const bytes: Kind = { ...plain, decode: (stored) => new Uint8Array(stored as Uint8Array) }
const json: Kind = {
  encode: (value) => JSON.stringify(value),
  decode: (stored) => JSON.parse(stored as string),
}
// SQLite has no booleans; PostgreSQL reads 0 and 1 as such.
const flag: Kind = { encode: Number, decode: Boolean }

function id(prefix: IdPrefix): Kind {
  return { encode: (value) => storedId(value as string), decode: (stored) => readId(prefix, stored) }
}

export const PROJECTS = table<ProjectRecord & { readonly ordinal: number }>('projects', {
  id: id('prj'),
  ordinal: plain,
  slug: plain,
  name: plain,
  isPublic: flag,
  defaultBranch: plain,
  createdAt: plain,
})

/** The project is its sequence number here; `null`: the key belongs to the instance. */
export const KEYS = table<Omit<KeyRecord, 'projectId'> & { readonly project: number | null }>('keys', {
  id: id('key'),
  project: plain,
  kind: plain,
  name: plain,
  hash: bytes,
  token: plain,
  ending: plain,
  scopes: json,
  origins: json,
  createdAt: plain,
  lastUsedAt: plain,
  revokedAt: plain,
})

export const USERS = table<UserRecord>('users', {
  id: id('usr'),
  email: plain,
  name: plain,
  role: plain,
  canSeeSecurity: flag,
  projectIds: json,
  passwordHash: plain,
  createdAt: plain,
})

export const LINKS = table<LinkRecord>('links', {
  hash: bytes,
  userId: id('usr'),
  createdAt: plain,
  expiresAt: plain,
})

export const SIGN_INS = table<SignInRecord>('sign_ins', {
  id: id('sgn'),
  userId: id('usr'),
  hash: bytes,
  userAgent: plain,
  createdAt: plain,
  lastSeenAt: plain,
})

export const VIEWS = table<ViewRecord>('views', {
  id: id('viw'),
  userId: id('usr'),
  name: plain,
  projectId: id('prj'),
  query: plain,
  createdAt: plain,
})

function table<R extends object>(name: string, kinds: { readonly [F in keyof R]-?: Kind }): Table<R> {
  const columns = Object.entries<Kind>(kinds).map(([field, kind]) => ({
    field,
    name: columnNameOf(field),
    kind,
  }))
  const places = columns.map((_, index) => `$${index + 1}`)
  return {
    name,
    insert: `INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')}) VALUES (${places.join(', ')})`,
    valuesOf: (record) =>
      columns.map(({ field, kind }) => {
        const value = record[field as keyof R]
        return value === null ? null : kind.encode(value)
      }),
    recordOf(row) {
      const record: { [field: string]: unknown } = {}
      for (const column of columns) {
        const stored = (row as { readonly [name: string]: unknown })[column.name]
        record[column.field] = stored === null ? null : column.kind.decode(stored)
      }
      return record as R
    },
  }
}

function columnNameOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
