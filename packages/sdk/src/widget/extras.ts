import type { Client } from '../core/client.ts'
import type { AttachedFile, DeclaredFile, NamedFile, ReportContent } from '../core/types.ts'
import type { make } from './make.ts'
import type { Messages } from './messages.ts'
import type { WidgetField, WidgetOptions } from './options.ts'

/**
 * What is not needed to write and send a report. It is loaded when it is needed, and imports only types: bundlers would
 * move what both files use to a third one.
 */
const extras: Extras = { _watchShortcut: watchShortcut, _makeFields: makeFields, _makeList: makeList }
export default extras

export interface Extras {
  /** Calls the listener when a person presses the keys; returns a function that stops it. */
  _watchShortcut(shortcut: string, listener: () => void): () => void
  /** The fields that the app declared, with their labels. */
  _makeFields(create: typeof make, options: WidgetOptions, messages: Messages): readonly HTMLElement[]
  /** The names and values of everything that is sent besides the person's own words. */
  _makeList(create: typeof make, sent: Sent, messages: Messages): Promise<HTMLElement>
}

interface Sent {
  readonly _content: ReportContent
  readonly _client: Client | undefined
  readonly _version: string
}

/** The same as `MAX_METADATA_STRING_CHARS` in the contract; a test compares them. */
const MAX_CHARS = 1_024
/** The English texts. In other languages, all fields have a name. */
const EMAIL = 'Email address (optional)'
const FIELDS = { osVersion: 'system', deviceModel: 'device', sdk: 'SDK' }
const LIST_STYLE =
  'display:grid;grid-template-columns:auto 1fr;gap:.35em 1.1em;margin:.6em 0 0;padding:.8em;border-radius:var(--r2);background:var(--soft)'
const VALUE_STYLE = 'margin:0;color:var(--fg);overflow-wrap:anywhere;white-space:pre-line'
const MODIFIERS = ['ctrl', 'alt', 'shift', 'meta'] as const

function watchShortcut(shortcut: string, listener: () => void): () => void {
  const listen = (event: KeyboardEvent) => {
    if (!isShortcut(event, shortcut)) return
    event.preventDefault()
    listener()
  }
  // In the capture phase, because the page may stop the event.
  window.addEventListener('keydown', listen, true)
  return () => window.removeEventListener('keydown', listen, true)
}

/**
 * Whether these are the keys of a shortcut such as `Ctrl+Shift+U`. `Mod` is the command key on Apple devices, and `Ctrl`
 * elsewhere. A shortcut needs one of `Ctrl`, `Alt`, `Meta` and `Mod`, because people type letters.
 */
function isShortcut(event: KeyboardEvent, shortcut: string): boolean {
  const mod = /Mac|iP/.test(navigator.platform) ? 'meta' : 'ctrl'
  const keys = shortcut.toLowerCase().replace('mod', mod).split('+')
  const key = keys.pop()
  // With the Alt key, letters become other characters on Apple devices.
  const isKey = event.key?.toLowerCase() === key || event.code?.toLowerCase() === `key${key}`
  return (
    isKey &&
    /ctrl|alt|meta/.test(`${keys}`) &&
    MODIFIERS.every((name) => event[`${name}Key`] === keys.includes(name))
  )
}

function makeFields(
  create: typeof make,
  { fields = [], email }: WidgetOptions,
  messages: Messages,
): readonly HTMLElement[] {
  const own = fields.map((field) => ({ ...field, name: `metadata.${field.name}` }))
  const emails: readonly WidgetField[] = email
    ? [{ name: 'reporter.email', label: messages.email ?? EMAIL, type: 'email' }]
    : []
  return [...own, ...emails].map(({ name, label, choices, isRequired = false, type = 'text' }) => {
    const common = { name, required: isRequired }
    const options = choices && ['', ...choices].map((value) => create('option', { value }, value))
    const control = options
      ? create('select', common, ...options)
      : create('input', { ...common, type, maxLength: MAX_CHARS })
    return create('label', {}, create('span', {}, label), control)
  })
}

async function makeList(
  create: typeof make,
  { _content: content, _client: client, _version: version }: Sent,
  messages: Messages,
): Promise<HTMLElement> {
  const list = create('dl', {})
  list.style.cssText = LIST_STYLE
  if (!client) return list
  const { beforeSend = (same: ReportContent) => same } = client._core._options
  const trail = content.trail === false ? undefined : client._trail?.()
  const files = [...(content.attachments ?? []), ...(trail ? [trail] : [])].map(declare)
  const draft = { ...content, trail: undefined, ...(files[0] && { attachments: files }) }
  // The hook may change the report, so its result is shown.
  const judged = Object((await beforeSend(client._complete(draft))) ?? {}) as ReportContent
  const {
    title: _,
    description: __,
    category: ___,
    metadata,
    context,
    reporter,
    attachments,
    ...rest
  } = judged
  const names: Readonly<Record<string, string>> = { ...FIELDS, ...messages.fields }
  const all = {
    ...rest,
    ...Object(context),
    ...reporter,
    ...metadata,
    files: attachments?.map(describe).join('\n'),
    steps: attachments?.some((file) => declare(file).name === trail?.name) ? describeSteps(trail) : undefined,
    sdk: `${client._core._platform._sdkName} ${version}`,
  }
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined || value === '') continue
    const text = typeof value === 'object' ? JSON.stringify(value) : `${value}`
    const detail = create('dd', {}, text)
    detail.style.cssText = VALUE_STYLE
    const label = names[name] ?? wordsOf(name)
    list.append(create('dt', {}, label.charAt(0).toUpperCase() + label.slice(1)), detail)
  }
  return list
}

/** What the report says about a file. The digest is not shown. */
function declare(given: AttachedFile | DeclaredFile): DeclaredFile {
  const file = given as File & NamedFile & DeclaredFile
  const {
    name,
    contentType = file.type || 'application/octet-stream',
    size = `${file.content}`.length,
  } = file
  return { name, contentType, size, sha256: '' }
}

function describe(given: AttachedFile | DeclaredFile): string {
  const { name, contentType, size } = declare(given)
  return `${name} (${contentType}, ${Math.ceil(size / 1e3)} KB)`
}

/** One step in each line, with its time. */
function describeSteps(trail: NamedFile | undefined): string {
  const { steps } = JSON.parse(`${trail?.content}`) as {
    steps: readonly { at: string; kind: string; text: string }[]
  }
  return steps.map(({ at, kind, text }) => `${at.slice(11, 19)} ${kind}: ${text}`).join('\n')
}

/** `orderNumber` as words. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
