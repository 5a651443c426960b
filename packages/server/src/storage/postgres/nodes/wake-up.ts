import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { isId, type ProjectId } from '../../../model/ids.ts'
import { addLastNumbers, type LastNumbers } from '../../issues/last-numbers.ts'
import { all, type Operation, type Operations } from '../../operations.ts'
import type { Connector } from '../driver/connector.ts'
import { idOf } from '../driver/uuids.ts'

/** Commits within this time share a notification, because NOTIFY takes a lock that all nodes share. */
const NOTIFY_DELAY_MS = 20
/**
 * How often projects are polled for events that were not announced, and how many at a time. The cost
 * therefore does not depend on the number of projects, and each is polled within seconds.
 */
const POLL_MS = 1_000
const POLLED_PROJECTS = 1_000
const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 10_000
/** PostgreSQL takes payloads of up to 8,000 bytes; more projects than this are "any". */
const MAX_NAMED_PROJECTS = 200

const CHANNEL = 'bugle_events'
const SELECT_POSITIONS = positionsIn('current_projects')
const SELECT_FIRST_POSITIONS = positionsIn('projects')

function positionsIn(table: string) {
  const columns = 'seq, id, last_issue_number, last_event_position, last_open_position'
  return `SELECT ${columns} FROM ${table} WHERE seq > $1 ORDER BY seq LIMIT $2`
}

/** Projects after this one with the positions of their last events. */
export type ReadPositions = (after: number, limit: number) => Promise<readonly PositionRow[]>

export function positionReads({ read }: Pick<Operations, 'read'>, isCluster: boolean): ReadPositions {
  return (after, limit) => read(isCluster ? readPositionsApart : readPositions, after, limit)
}

function* readPositions(after: number, limit: number): Operation<readonly PositionRow[]> {
  return yield* all<PositionRow>(SELECT_POSITIONS, after, limit)
}

function* readPositionsApart(after: number, limit: number): Operation<readonly PositionRow[]> {
  return yield* addLastNumbers(yield* all<PositionRow>(SELECT_FIRST_POSITIONS, after, limit))
}

type Listener = (projectId: ProjectId | null) => void

/** Announces that a project has new events: immediately within this node, and soon to the others. */
export interface WakeUp {
  announce(projectId: ProjectId): void
  subscribe(listener: Listener): () => void
  close(): Promise<void>
}

export function createWakeUp(connector: Connector, readPositions: ReadPositions, pollMs = POLL_MS): WakeUp {
  const listeners = new Set<Listener>()
  const unsent = new Set<ProjectId>()
  const closing = new AbortController()
  const positions = new Map<string, number>()
  let lastPolled = 0
  let connection: pg.Client | undefined
  let listening: Promise<void> | undefined
  let polling: NodeJS.Timeout | undefined
  let isPolling = false
  let sending: NodeJS.Timeout | undefined

  const tell: Listener = (projectId) => {
    for (const listener of listeners) listener(projectId)
  }

  /** Keeps a listening connection, and reconnects after a pause when it is lost. */
  async function keepListening(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        await listen(() => {
          failures = 0
        })
      } catch {
        // The database is unavailable, which its callers report. Polling starts again with the connection.
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
      // Our own writes were already announced.
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
    // Events during an interruption were not announced.
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

  /** A fallback for lost notifications. On a slow database, a poll may take longer than the time between two: the next one is left out. */
  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    try {
      await compareNext()
    } finally {
      isPolling = false
    }
  }

  async function compareNext(): Promise<void> {
    const rows = await readPositions(lastPolled, POLLED_PROJECTS)
    lastPolled = rows.length < POLLED_PROJECTS ? 0 : (rows.at(-1)?.seq ?? 0)
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
      polling ??= setInterval(() => void poll().catch(() => {}), pollMs).unref()
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

interface PositionRow extends LastNumbers {
  readonly seq: number
  readonly id: string
}
