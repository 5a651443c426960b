import type { AttemptError, DeliveryStatus } from '@bugle/contract/vocabulary'
import type { IdPrefix } from '../model/ids.ts'
import type { KeyRecord } from '../model/keys.ts'
import type { ProjectRecord } from '../model/projects.ts'
import type { LinkRecord, SignInRecord, UserRecord, ViewRecord } from '../model/users.ts'
import type { WebhookRecord } from '../model/webhooks.ts'
import { readId, storedId, type Value } from './operations.ts'

/** What a table's rows are deleted with. */
export type Owner = 'issue' | 'project' | 'user' | 'instance'

/** A table whose rows are records: the field `createdAt` is the column `created_at`. */
export interface Table<R> {
  readonly name: string
  readonly owner: Owner
  /** The fields of the primary key. */
  readonly key: readonly (keyof R & string)[]
  /** Stores the record whose values are passed. */
  readonly insert: string
  /** Replaces the record with the same key. Takes the same values. */
  readonly update: string
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

export const PROJECTS = table<ProjectRecord & { readonly ordinal: number }>(
  'projects',
  { owner: 'project', key: ['id'] },
  {
    id: id('prj'),
    ordinal: plain,
    slug: plain,
    name: plain,
    isPublic: flag,
    defaultBranch: plain,
    createdAt: plain,
  },
)

/** The project is its sequence number here; `null`: the key belongs to the instance. */
export const KEYS = table<Omit<KeyRecord, 'projectId'> & { readonly project: number | null }>(
  'keys',
  { owner: 'project', key: ['id'] },
  {
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
  },
)

export const USERS = table<UserRecord>(
  'users',
  { owner: 'user', key: ['id'] },
  {
    id: id('usr'),
    email: plain,
    name: plain,
    role: plain,
    canSeeSecurity: flag,
    projectIds: json,
    passwordHash: plain,
    createdAt: plain,
  },
)

export const LINKS = table<LinkRecord>(
  'links',
  { owner: 'user', key: ['hash'] },
  {
    hash: bytes,
    userId: id('usr'),
    createdAt: plain,
    expiresAt: plain,
  },
)

export const SIGN_INS = table<SignInRecord>(
  'sign_ins',
  { owner: 'user', key: ['id'] },
  {
    id: id('sgn'),
    userId: id('usr'),
    hash: bytes,
    userAgent: plain,
    createdAt: plain,
    lastSeenAt: plain,
  },
)

export const VIEWS = table<ViewRecord>(
  'views',
  { owner: 'user', key: ['id'] },
  {
    id: id('viw'),
    userId: id('usr'),
    name: plain,
    projectId: id('prj'),
    query: plain,
    createdAt: plain,
  },
)

/** The project is its sequence number here. `position`: of the events up to this one, those it wants have become deliveries. */
export type WebhookRow = Omit<WebhookRecord, 'projectId'> & {
  readonly project: number
  readonly position: number
}

export const WEBHOOKS = table<WebhookRow>(
  'webhooks',
  { owner: 'project', key: ['project', 'number'] },
  {
    project: plain,
    number: plain,
    id: id('whk'),
    name: plain,
    url: plain,
    eventTypes: json,
    includeSecurity: flag,
    format: plain,
    status: plain,
    pausedReason: plain,
    secrets: json,
    position: plain,
    createdAt: plain,
    updatedAt: plain,
    lastSuccessAt: plain,
    failingSince: plain,
  },
)

export interface DeliveryRow {
  readonly project: number
  /** The number of the webhook. */
  readonly webhook: number
  readonly position: number
  readonly status: DeliveryStatus
  readonly createdAt: number
  readonly nextAttemptAt: number | null
  readonly leasedUntil: number | null
  readonly finishedAt: number | null
  readonly attempts: number
  /** Those since it was last made pending. */
  readonly seriesAttempts: number
}

export const DELIVERIES = table<DeliveryRow>(
  'deliveries',
  { owner: 'issue', key: ['project', 'webhook', 'position'] },
  {
    project: plain,
    webhook: plain,
    position: plain,
    status: plain,
    createdAt: plain,
    nextAttemptAt: plain,
    leasedUntil: plain,
    finishedAt: plain,
    attempts: plain,
    seriesAttempts: plain,
  },
)

export interface AttemptRow {
  readonly project: number
  readonly webhook: number
  readonly position: number
  readonly number: number
  readonly at: number
  readonly httpStatus: number | null
  readonly error: AttemptError | null
  readonly durationMs: number
  readonly response: string | null
}

export const ATTEMPTS = table<AttemptRow>(
  'attempts',
  { owner: 'issue', key: ['project', 'webhook', 'position', 'number'] },
  {
    project: plain,
    webhook: plain,
    position: plain,
    number: plain,
    at: plain,
    httpStatus: plain,
    error: plain,
    durationMs: plain,
    response: plain,
  },
)

function table<R extends object>(
  name: string,
  { owner, key }: Pick<Table<R>, 'owner' | 'key'>,
  kinds: { readonly [F in keyof R]-?: Kind },
): Table<R> {
  const columns = Object.entries<Kind>(kinds).map(([field, kind]) => ({
    field,
    name: columnNameOf(field),
    kind,
  }))
  const places = columns.map((_, index) => `$${index + 1}`)
  const equations = columns.map((column, index) => ({
    text: `${column.name} = ${places[index]}`,
    isKey: (key as readonly string[]).includes(column.field),
  }))
  const textsOf = (isKey: boolean) =>
    equations.filter((equation) => equation.isKey === isKey).map(({ text }) => text)
  return {
    name,
    owner,
    key,
    update: `UPDATE ${name} SET ${textsOf(false).join(', ')} WHERE ${textsOf(true).join(' AND ')}`,
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
