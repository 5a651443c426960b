import {
  MAX_CONTEXT_FIELDS,
  MAX_CONTEXT_NAME_CHARS,
  MAX_CONTEXT_STRING_CHARS,
  MAX_METADATA_KEY_CHARS,
  MAX_METADATA_MEMBERS,
  MAX_METADATA_STRING_CHARS,
} from '@bugle/contract/vocabulary'
import { clip } from '../crashes/clip-text.ts'
import { type Fields, fieldsOf, textOf, within } from './values.ts'

type Value = string | number | boolean
type FlatObject = Readonly<Record<string, Value>>

interface Bounds {
  readonly fields: number
  readonly nameChars: number
  readonly stringChars: number
}

const METADATA: Bounds = {
  fields: MAX_METADATA_MEMBERS,
  nameChars: MAX_METADATA_KEY_CHARS,
  stringChars: MAX_METADATA_STRING_CHARS,
}
const CONTEXT: Bounds = {
  fields: MAX_CONTEXT_FIELDS,
  nameChars: MAX_CONTEXT_NAME_CHARS,
  stringChars: MAX_CONTEXT_STRING_CHARS,
}
/** Described elsewhere in the report, or of no use without Sentry. */
const OMITTED_CONTEXTS: ReadonlySet<string> = new Set(['trace', 'feedback', 'replay', 'profile', 'otel'])
const FIRST_CONTEXTS = ['app', 'device', 'os', 'runtime', 'culture', 'browser', 'gpu']

/** The attributes of an event that have a name in our metadata. */
const ATTRIBUTES = ['environment', 'level', 'logger', 'transaction', 'server_name']

/** What the app says about an event: its attributes, its tags, and what it calls extra. */
export function metadataOf(event: Fields, more: Fields = {}): FlatObject | undefined {
  const attributes = ATTRIBUTES.map((name) => [name, event[name]] as const)
  return flatten(
    [...Object.entries(more), ...attributes, ...tagsOf(event['tags']), ...entriesOf(event['extra'])],
    METADATA,
  )
}

/** Where it happened. */
export function contextOf(event: Fields, url?: unknown): FlatObject | undefined {
  const contexts = fieldsOf(event['contexts']) ?? {}
  const request = within(event, 'request')
  const names = [...FIRST_CONTEXTS, ...Object.keys(contexts).filter((name) => !FIRST_CONTEXTS.includes(name))]
  const groups = names
    .filter((name) => !OMITTED_CONTEXTS.has(name))
    .flatMap((group) =>
      entriesOf(contexts[group]).flatMap(([name, value]) =>
        name === 'type' || isScalar(value) === false ? [] : [[`${group}.${name}`, value] as const],
      ),
    )
  return flatten(
    [['page', pageOf(url ?? request['url'])], ['browser', browserOf(contexts, request)], ...groups],
    CONTEXT,
  )
}

/** Query and fragment may contain what is private. */
function pageOf(url: unknown): string | undefined {
  return textOf(url, 2 * MAX_CONTEXT_STRING_CHARS)?.replace(/[?#].*$/s, '')
}

function browserOf(contexts: Fields, request: Fields): string | undefined {
  const { name, version } = within(contexts, 'browser')
  if (typeof name === 'string') return [name, textOf(version, 64) ?? ''].join(' ').trim()
  const agent = entriesOf(request['headers']).find(([header]) => header.toLowerCase() === 'user-agent')
  return typeof agent?.[1] === 'string' ? agent[1] : undefined
}

/** Tags are an object, or a list of pairs. */
function tagsOf(tags: unknown): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(tags)) return entriesOf(tags)
  return tags.flatMap((pair) =>
    Array.isArray(pair) && typeof pair[0] === 'string' ? [[pair[0], pair[1]] as const] : [],
  )
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(fieldsOf(value) ?? {})
}

function isScalar(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

/** The first value of a name counts. What does not fit is left out or cut. */
function flatten(entries: readonly (readonly [string, unknown])[], bounds: Bounds): FlatObject | undefined {
  const fields = new Map<string, Value>()
  for (const [name, value] of entries) {
    if (fields.size >= bounds.fields) break
    const key = textOf(name, bounds.nameChars)
    const stored = storable(value, bounds.stringChars)
    if (key === undefined || key === '__proto__' || stored === undefined || fields.has(key)) continue
    fields.set(key, stored)
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields)
}

function storable(value: unknown, maxChars: number): Value | undefined {
  if (typeof value === 'string') return textOf(value, maxChars)
  if (isScalar(value)) return value
  return typeof value === 'object' && value !== null ? clip(JSON.stringify(value), maxChars) : undefined
}
