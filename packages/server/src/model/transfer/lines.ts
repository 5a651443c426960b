import {
  ALL_ROLES,
  ALL_SCOPES,
  KEY_KINDS,
  MAX_EMAIL_CHARS,
  MAX_USER_NAME_CHARS,
  MAX_VIEW_NAME_CHARS,
  MAX_VIEW_QUERY_CHARS,
  SLUG_PATTERN,
} from '@bugle/contract/vocabulary'
import { type Static, Type } from 'typebox'
import { ISSUE_LINES } from './issues.ts'
import {
  choice,
  count,
  entries,
  hash,
  id,
  lane,
  MAX_LIST_ITEMS,
  MAX_OTHER_CHARS,
  object,
  orNull,
  passwordHash,
  position,
  primitive,
  text,
  time,
  whole,
} from './values.ts'
import { WEBHOOK_LINES } from './webhooks.ts'

const sdkSettings = Type.Partial(
  object({
    enabled: Type.Boolean(),
    minSdkVersion: orNull(text(MAX_OTHER_CHARS)),
    features: entries(primitive, MAX_LIST_ITEMS, MAX_OTHER_CHARS),
    crash: object({ enabled: Type.Boolean(), sampleRate: Type.Number() }),
    refreshAfterSeconds: Type.Number(),
  }),
)

const key = {
  id: id('key'),
  kind: choice(KEY_KINDS),
  name: orNull(text(MAX_OTHER_CHARS)),
  hash,
  token: orNull(text(MAX_OTHER_CHARS)),
  ending: text(MAX_OTHER_CHARS),
  scopes: Type.Array(choice(ALL_SCOPES), { maxItems: MAX_LIST_ITEMS }),
  origins: Type.Array(text(MAX_OTHER_CHARS), { maxItems: MAX_LIST_ITEMS }),
  createdAt: time,
  lastUsedAt: orNull(time),
  revokedAt: orNull(time),
}

/** A project and what follows it in a file, by the kind of line and in this order; of each the members, in theirs. */
const PROJECT_LINES = {
  project: object({
    id: id('prj'),
    slug: Type.String({ pattern: SLUG_PATTERN }),
    name: text(MAX_OTHER_CHARS),
    isPublic: Type.Boolean(),
    defaultBranch: text(MAX_OTHER_CHARS),
    createdAt: time,
    sdkConfig: orNull(sdkSettings),
    lastIssueNumber: count,
    lastEventPosition: position,
    lastWebhookNumber: count,
    expiredPosition: position,
    // Absent in files of earlier releases, which counted all positions together.
    lastOpenPosition: Type.Optional(position),
    expiredOpenPosition: Type.Optional(position),
  }),
  key: object(key),
  ...ISSUE_LINES,
  ...WEBHOOK_LINES,
  counter: object({ lane, dimension: text(MAX_OTHER_CHARS), value: text(MAX_OTHER_CHARS), count: whole }),
}

/** What belongs to no project, and comes last. */
const INSTANCE_LINES = {
  instanceKey: object(key),
  user: object({
    id: id('usr'),
    email: text(MAX_EMAIL_CHARS),
    name: text(MAX_USER_NAME_CHARS),
    role: choice(ALL_ROLES),
    canSeeSecurity: Type.Boolean(),
    projectIds: orNull(Type.Array(id('prj'), { maxItems: MAX_LIST_ITEMS })),
    passwordHash: orNull(passwordHash),
    createdAt: time,
  }),
  view: object({
    id: id('viw'),
    userId: id('usr'),
    name: text(MAX_VIEW_NAME_CHARS),
    projectId: id('prj'),
    query: text(MAX_VIEW_QUERY_CHARS),
    createdAt: time,
  }),
}

/** Everything that an export holds. Times are milliseconds, hashes hexadecimal. */
export const LINES = { ...PROJECT_LINES, ...INSTANCE_LINES } as const

export type LineKind = keyof typeof LINES
/** In the order of the file. */
export const LINE_KINDS = Object.keys(LINES) as readonly LineKind[]
export const INSTANCE_KINDS: readonly LineKind[] = Object.keys(INSTANCE_LINES) as LineKind[]

/** One thing that is stored, as it is said in a file. */
export type TransferLine = { [K in LineKind]: LineOf<K> }[LineKind]
export type LineOf<K extends LineKind> = { readonly record: K } & Readonly<Static<(typeof LINES)[K]>>
