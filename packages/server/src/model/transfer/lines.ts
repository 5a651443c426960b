import {
  ALL_ROLES,
  ALL_SCOPES,
  KEY_KINDS,
  LABEL_COLOUR_PATTERN,
  MAX_EMAIL_CHARS,
  MAX_LABEL_NAME_CHARS,
  MAX_PROJECT_DESCRIPTION_CHARS,
  MAX_PROJECT_URL_CHARS,
  MAX_USER_NAME_CHARS,
  MAX_VIEW_NAME_CHARS,
  MAX_VIEW_QUERY_CHARS,
  SLUG_PATTERN,
} from '@bugle/contract/vocabulary'
import { type Static, Type } from 'typebox'
import { SEEN_DIMENSIONS } from '../seen-values.ts'
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
  natural,
  object,
  orNull,
  passwordHash,
  position,
  positiveInteger,
  primitive,
  sha256,
  text,
  time,
  webUrl,
  whole,
} from './values.ts'
import { WEBHOOK_LINES } from './webhooks.ts'

const sdkSettings = Type.Partial(
  object({
    enabled: Type.Boolean(),
    minSdkVersion: orNull(text(MAX_OTHER_CHARS)),
    features: entries(primitive, MAX_LIST_ITEMS, MAX_OTHER_CHARS),
    featureLimits: entries(
      object({
        minAppVersion: orNull(text(MAX_OTHER_CHARS)),
        maxAppVersion: orNull(text(MAX_OTHER_CHARS)),
        platforms: orNull(Type.Array(text(MAX_OTHER_CHARS), { maxItems: MAX_LIST_ITEMS })),
        share: Type.Number(),
      }),
      MAX_LIST_ITEMS,
      MAX_OTHER_CHARS,
    ),
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

/** The lines of a project in an export file, by kind. Both the kinds and the fields of each are in file order. */
const PROJECT_LINES = {
  project: object({
    id: id('prj'),
    slug: Type.String({ pattern: SLUG_PATTERN }),
    name: text(MAX_OTHER_CHARS),
    isPublic: Type.Boolean(),
    defaultBranch: text(MAX_OTHER_CHARS),
    createdAt: time,
    // Absent in files of earlier releases, which did not have these fields.
    description: Type.Optional(orNull(text(MAX_PROJECT_DESCRIPTION_CHARS))),
    websiteUrl: Type.Optional(orNull(webUrl(MAX_PROJECT_URL_CHARS))),
    repositoryUrl: Type.Optional(orNull(webUrl(MAX_PROJECT_URL_CHARS))),
    sdkConfig: orNull(sdkSettings),
    lastIssueNumber: count,
    lastEventPosition: position,
    lastWebhookNumber: count,
    expiredPosition: position,
    // Absent in files of earlier releases, which had only one count of positions for all lanes.
    lastOpenPosition: Type.Optional(position),
    expiredOpenPosition: Type.Optional(position),
    lastLabelNumber: Type.Optional(count),
  }),
  key: object(key),
  // Absent in files of earlier releases.
  label: object({
    number: positiveInteger,
    name: text(MAX_LABEL_NAME_CHARS),
    colour: Type.String({ pattern: LABEL_COLOUR_PATTERN }),
    createdAt: time,
  }),
  ...ISSUE_LINES,
  ...WEBHOOK_LINES,
  // Absent in files of earlier releases, in which case the values are counted from the issues.
  seenValue: object({
    lane,
    // Before the first release, a build had a line of its own, with a JSON array of its version and number as the value.
    dimension: choice([...SEEN_DIMENSIONS, 'build']),
    value: text(MAX_OTHER_CHARS),
    buildNumber: Type.Optional(text(MAX_OTHER_CHARS)),
    reports: whole,
    newIssues: count,
    fixedIssues: count,
    regressions: whole,
    firstAt: time,
    lastAt: time,
    includesRest: Type.Boolean(),
  }),
  counter: object({ lane, dimension: text(MAX_OTHER_CHARS), value: text(MAX_OTHER_CHARS), count: whole }),
  // A file of one or more attachments. Its bytes follow, unless they could not be read: see `transfer/file-format.ts`.
  file: object({
    digest: sha256,
    size: natural,
    contentType: orNull(text(MAX_OTHER_CHARS)),
    storedAt: time,
  }),
}

/** Lines that belong to no project. They come last. */
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
    // Absent in files of earlier releases.
    isShared: Type.Optional(Type.Boolean()),
  }),
}

/** Every kind of line in an export. Times are in milliseconds, hashes in hexadecimal. */
export const LINES = { ...PROJECT_LINES, ...INSTANCE_LINES } as const

export type LineKind = keyof typeof LINES
/** In file order. */
export const LINE_KINDS = Object.keys(LINES) as readonly LineKind[]
/** In files of earlier releases only. They are checked, and not stored. */
export const RETIRED_KINDS: readonly LineKind[] = ['reportDay']
export const INSTANCE_KINDS: readonly LineKind[] = Object.keys(INSTANCE_LINES) as LineKind[]

/** One stored record, as a line of an export file. */
export type TransferLine = { [K in LineKind]: LineOf<K> }[LineKind]
export type LineOf<K extends LineKind> = { readonly record: K } & Readonly<Static<(typeof LINES)[K]>>
