import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { isId, type ProjectId } from '../../../model/ids.ts'
import { type Database, prepared } from '../driver/connection.ts'
import type { Connector } from '../driver/connector.ts'
import { idOf } from '../driver/uuids.ts'

/** Commits within this long are told of together: a NOTIFY takes a lock that all nodes share. */
const NOTIFY_DELAY_MS = 20
/** How long news may take to arrive that no notification told of. */
const POLL_MS = 1_000
const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 10_000
/** PostgreSQL takes payloads of up to 8,000 bytes; more projects than this are "any". */
const MAX_NAMED_PROJECTS = 200

const CHANNEL = 'bugle_events'
const SELECT_POSITIONS = prepared('event_positions', 'SELECT id, last_event_position FROM projects')

type Listener = (projectId: ProjectId | null) => void

/** Carries the news that a project has events, within this node at once and to the others soon. */
export interface WakeUp {
  announce(projectId: ProjectId): void
  subscribe(listener: Listener): () => void
  close(): Promise<void>
}

export function createWakeUp(connector: Connector, database: Database): WakeUp {
  const listeners = new Set<Listener>()
  const unsent = new Set<ProjectId>()
  const closing = new AbortController()
  const positions = new Map<string, number>()
  let connection: pg.Client | undefined
  let listening: Promise<void> | undefined
  let polling: NodeJS.Timeout | undefined
  let sending: NodeJS.Timeout | undefined

  const tell: Listener = (projectId) => {
    for (const listener of listeners) listener(projectId)
  }

  /** Keeps a connection that listens, and comes back after a pause when it is lost. */
  async function keepListening(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        await listen(() => {
          failures = 0
        })
      } catch {
        // The database is away; whoever needs it says so. Polling begins again with the connection.
      }
      const delay = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** failures)
      await pause(delay, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  /** Settles when the connection is lost. */
  async function listen(onListening: () => void): Promise<void> {
    const { client } = await connector.connect()
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
    client.on('notification', ({ processId, payload = '' }) => {
      // Of our own writes we have told already.
      if (processId !== (client as unknown as { processID: number }).processID) tellAll(payload)
    })
    try {
      await client.query(`LISTEN ${CHANNEL}`)
    } catch (error) {
      // A replica accepts connections, but refuses to listen.
      await client.end()
      throw error
    }
    connection = client
    onListening()
    // What happened while nobody listened, nobody told.
    tell(null)
    if (closing.signal.aborted) await client.end()
    await ended
    connection = undefined
  }

  function tellAll(payload: string): void {
    if (payload === '') tell(null)
    for (const id of payload.split(' ')) if (isId('prj', id)) tell(id)
  }

  async function notify(): Promise<void> {
    sending = undefined
    const payload = unsent.size > MAX_NAMED_PROJECTS ? '' : [...unsent].join(' ')
    unsent.clear()
    // Without a connection the others find out by polling.
    await connection?.query('SELECT pg_notify($1, $2)', [CHANNEL, payload]).catch(() => {})
  }

  /** The net under the notifications. */
  async function poll(): Promise<void> {
    const rows = await database.run<PositionRow>(SELECT_POSITIONS())
    for (const { id, last_event_position: position } of rows) {
      const known = positions.get(id)
      positions.set(id, position)
      if (known !== undefined && known !== position) tell(idOf('prj', id))
    }
  }

  return {
    announce(projectId) {
      tell(projectId)
      unsent.add(projectId)
      sending ??= setTimeout(notify, NOTIFY_DELAY_MS).unref()
    },
    subscribe(listener) {
      listeners.add(listener)
      listening ??= keepListening()
      polling ??= setInterval(() => void poll().catch(() => {}), POLL_MS).unref()
      return () => listeners.delete(listener)
    },
    async close() {
      clearInterval(polling)
      clearTimeout(sending)
      closing.abort()
      if (unsent.size > 0) await notify()
      await connection?.end()
      await listening
    },
  }
}

interface PositionRow {
  readonly id: string
  readonly last_event_position: number
}
