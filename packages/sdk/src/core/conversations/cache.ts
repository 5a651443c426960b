import { parseJson } from '../delivery/requests.ts'
import type { Store } from '../platform.ts'
import type { Message, MyReport } from './types.ts'

/** Everything that is stored, by the start of its id. `who` identifies a person on this device. */
export interface Stored {
  /** `reporter-{who}` */
  readonly 'reporter-': {
    readonly secret: string
    readonly publicKey: string
    /** A hash of the id of the user. */
    readonly user: string
    readonly createdAt: number
  }
  /** `reports-{who}` */
  readonly 'reports-': { readonly tag: string | undefined; readonly reports: readonly MyReport[] }
  /** `conversation-{who}-{reportId}` */
  readonly 'conversation-': {
    readonly tag: string | undefined
    /** Of the report, when the conversation was read; absent if it has to be read again. */
    readonly lastReplyAt: string | null | undefined
    readonly messages: readonly Message[]
    readonly hasEarlier: boolean
  }
  /** `message-{messageId}`: to be sent. */
  readonly 'message-': {
    readonly who: string
    readonly reportId: string
    readonly text: string
    readonly createdAt: string
    readonly isRefused?: boolean
  }
  /** `read-{who}-{reportId}`: the last reply that was read, to be sent. */
  readonly 'read-': {
    readonly who: string
    readonly reportId: string
    readonly messageId: string
    readonly createdAt: string
  }
  /** `poll-{who}`: shared by all tabs. */
  readonly 'poll-': {
    /** When the server was last asked. */
    readonly at: number
    /** When it is to be asked next. */
    readonly next: number
    /** How often in a row nothing had changed, or the server did not respond. */
    readonly quiet: number
    readonly failures: number
    /** The server has asked for the pause. */
    readonly isHeld: boolean
  }
}

type Kind = keyof Stored

/** What is stored, in memory. All pages and processes of the store share it. */
export interface Cache {
  /** Resolves once the entries stored by earlier sessions have been read. */
  readonly _loaded: Promise<void>
  _get<K extends Kind>(kind: K, id: string): Stored[K] | undefined
  /** The latest note, which another tab may have written. */
  _readNote<K extends Kind>(kind: K, id: string): Stored[K] | undefined
  /** Those whose id starts with this, in the order of their ids. */
  _list<K extends Kind>(kind: K, start?: string): readonly (readonly [id: string, value: Stored[K]])[]
  /** Resolves once the value is stored. */
  _put<K extends Kind>(kind: K, id: string, value: Stored[K]): Promise<void>
  /** Like `_put`, and the value is also a note: it can be read before everything else was. */
  _putNote<K extends Kind>(kind: K, id: string, value: Stored[K]): Promise<void>
  /** Writes only a note, which need not survive. */
  _putNow<K extends Kind>(kind: K, id: string, value: Stored[K]): void
  _remove(kind: Kind, id: string): Promise<void>
  /** Reads what other tabs and processes have changed. */
  _reload(): Promise<void>
}

export function createCache(store: Store): Cache {
  let memory = new Map<string, unknown>()
  let isLoaded = false
  /** Whether the store has ever returned something. */
  let isInUse = false
  /** What was written while the store was being read. */
  const written = new Set<Map<string, unknown>>()

  function remember(id: string, value: unknown): void {
    setIn(memory, id, value)
    for (const writes of written) writes.set(id, value)
  }

  async function reload(): Promise<void> {
    const writes = new Map<string, unknown>()
    written.add(writes)
    const texts = await store._readAll()
    written.delete(writes)
    isLoaded = true
    if (texts.size) isInUse = true
    else if (!isInUse || [...memory.keys()].some((id) => store._readNow(id) !== null))
      // Nothing can be stored, or the store does not respond: memory has everything. Otherwise another tab has removed it.
      return
    memory = new Map()
    for (const [id, text] of texts) setIn(memory, id, parseJson(text))
    for (const [id, value] of writes) setIn(memory, id, value)
  }

  function readNote(id: string): unknown {
    return parseJson(store._readNow(id)) ?? memory.get(id)
  }

  async function put(id: string, value: unknown): Promise<void> {
    remember(id, value)
    await store._put(id, JSON.stringify(value))
  }

  return {
    _loaded: reload(),
    _get: <K extends Kind>(kind: K, id: string) =>
      (isLoaded ? memory.get(kind + id) : readNote(kind + id)) as Stored[K] | undefined,
    _readNote: <K extends Kind>(kind: K, id: string) => readNote(kind + id) as Stored[K] | undefined,
    _list: <K extends Kind>(kind: K, start = '') =>
      [...memory]
        .filter(([id]) => id.startsWith(kind + start))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, value]) => [id.slice(kind.length), value as Stored[K]] as const),
    _put: (kind, id, value) => put(kind + id, value),
    async _putNote(kind, id, value) {
      await put(kind + id, value)
      // A browser has moved it to its database, which takes a moment to read.
      if (memory.get(kind + id) === value) store._putNow(kind + id, JSON.stringify(value))
      isInUse ||= !!store._readNow(kind + id)
    },
    _putNow(kind, id, value) {
      remember(kind + id, value)
      store._putNow(kind + id, JSON.stringify(value))
    },
    _remove(kind, id) {
      remember(kind + id, undefined)
      return store._remove(kind + id)
    },
    _reload: reload,
  }
}

function setIn(values: Map<string, unknown>, id: string, value: unknown): void {
  if (value) values.set(id, value)
  else values.delete(id)
}
