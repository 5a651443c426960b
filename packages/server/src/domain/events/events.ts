import { DEFAULT_FEED_SIZE, type Event, type EventFeed, type EventQuery, endpoints } from '@bugle/contract'
import type { EventWindow } from '../../model/events.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, hasScope, type Sight } from '../access/access.ts'
import type { Callers } from '../access/callers.ts'
import { MAX_PAGE_CHARS } from '../cursor-pages.ts'
import { DomainError } from '../domain-error.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'
import type { Catalog } from '../projects/catalog.ts'
import type { EventHub } from './event-hub.ts'
import { type Counting, countingIn, type LogPlace } from './event-ids.ts'
import type { EventView, EventViews } from './event-views.ts'
import { createTurns } from './turns.ts'

/** An idle stream sends a heartbeat this often, so that proxies do not close it. */
const HEARTBEAT_MS = 15_000
/** The log is read in steps, so that other requests are served in between. */
const STEP_EVENTS = 100
/** Steps that wait for the database at the same time. */
const STEPS_AT_ONCE = 4

/** The items of a live stream. */
export type StreamItem =
  | { readonly kind: 'events'; readonly events: readonly Event[]; readonly counting: Counting }
  /**
   * The position to resume from is no longer in the log, or the reader's permissions have changed. The reader must list
   * again and continue from this position.
   */
  | { readonly kind: 'reset'; readonly position: number; readonly counting: Counting }
  | { readonly kind: 'heartbeat' }

export interface Events {
  read(caller: Caller, query: EventQuery): Promise<EventFeed>
  /**
   * Follows a project's log until the signal aborts or the caller may no longer see it. `from` takes precedence over
   * `after` in the query.
   */
  follow(caller: Caller, query: StreamQuery, signal: AbortSignal): Promise<AsyncIterable<StreamItem>>
}

export interface StreamQuery extends EventQuery {
  /** The reader's position when its connection ended. */
  readonly from?: LogPlace
}

interface EventDependencies {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly callers: Callers
  readonly finder: IssueFinder
  readonly hub: EventHub
  readonly eventViews: EventViews
}

const ACCESS = endpoints.listEvents.access

export function createEvents(parts: EventDependencies): Events {
  const { storage, catalog, callers, finder, hub, eventViews } = parts
  const turns = createTurns(STEPS_AT_ONCE)
  const types = ({ type }: EventQuery) => (type === undefined ? null : type)

  async function* stream(reader: Reader): AsyncGenerator<StreamItem> {
    const { query, signal, window } = reader
    let { caller, project, sight, generation } = reader
    let counting = countingIn(sight.lanes)
    const from = query.from ?? { position: query.after ?? window.end, counting: null }
    let { position } = from
    if (isOutside(window, position) || (from.counting !== null && from.counting !== counting)) {
      position = window.end
      yield { kind: 'reset', position, counting }
    }
    // Subscribed before the first read, so that an event that arrives during it does not wait for the next heartbeat.
    const news = hub.listen(project.id)
    let saidAt = performance.now()
    try {
      while (!signal.aborted) {
        if (catalog.generation !== generation || callers.mayBeOver(caller)) {
          generation = catalog.generation
          const renewed = await renew(caller, query)
          if (renewed === undefined || renewed.project.id !== project.id) return
          ;({ caller, project, sight } = renewed)
          if (countingIn(sight.lanes) !== counting) {
            counting = countingIn(sight.lanes)
            position = (await storage.events.window(project.id, sight.lanes)).end
            yield { kind: 'reset', position, counting }
          }
        }
        const step = await turns.take(() => readStep({ caller, project, sight, query, signal }, position))
        if (step === undefined) return
        if (step.events.length > 0) {
          yield { kind: 'events', events: step.events, counting }
          saidAt = performance.now()
        }
        position = step.lastExamined
        if (step.hasMore) continue
        // Measured from the last output, so that events that this reader may not see do not delay the heartbeat.
        await news.wait(saidAt + HEARTBEAT_MS - performance.now(), signal)
        if (performance.now() - saidAt < HEARTBEAT_MS) continue
        yield { kind: 'heartbeat' }
        saidAt = performance.now()
      }
    } finally {
      news.stop()
    }
  }

  /** The next events of a stream, as they are shown; `undefined` if the client has disconnected. */
  async function readStep(
    {
      caller,
      project,
      sight,
      query,
      signal,
    }: Pick<Reader, 'caller' | 'project' | 'sight' | 'query' | 'signal'>,
    after: number,
  ) {
    if (signal.aborted) return undefined
    return readSome({ caller, project, sight, query }, after, STEP_EVENTS)
  }

  async function readSome(
    { caller, project, sight, query }: Pick<Reader, 'caller' | 'project' | 'sight' | 'query'>,
    after: number,
    limit: number,
  ) {
    const selection = { projectId: project.id, lanes: sight.lanes, types: types(query), after, limit }
    const part = await storage.events.list(selection)
    return { ...part, events: await eventViews.showAll(part.events, viewFor(caller, project, sight)) }
  }

  /** A page of the log. It may be short if few of the examined events match, or many are about long comments. */
  async function readPage(reader: Pick<Reader, 'caller' | 'project' | 'sight' | 'query'>, after: number) {
    const limit = reader.query.limit ?? DEFAULT_FEED_SIZE
    const events: Event[] = []
    let position = after
    for (;;) {
      const wanted = Math.min(STEP_EVENTS, limit - events.length)
      const step = await turns.take(() => readSome(reader, position, wanted))
      events.push(...step.events)
      position = step.lastExamined
      const isPageDone =
        events.length === limit || step.events.length < wanted || commentChars(events) > MAX_PAGE_CHARS
      if (!step.hasMore || isPageDone) return { events, position, hasMore: step.hasMore }
    }
  }

  /** What the caller may see now: permissions may have changed while the stream was open. */
  async function renew(caller: Caller, query: EventQuery) {
    const renewed = await callers.renew(caller)
    if (renewed === undefined) return undefined
    try {
      return { caller: renewed, ...(await finder.requireProject(renewed, ACCESS, query.projectId)) }
    } catch (error) {
      if (error instanceof DomainError) return undefined
      throw error
    }
  }

  return {
    async read(caller, query) {
      const { project, sight } = await finder.requireProject(caller, ACCESS, query.projectId)
      const window = await storage.events.window(project.id, sight.lanes)
      const isReset = query.after !== undefined && query.after > 0 && isOutside(window, query.after)
      const after = isReset ? window.start : Math.max(query.after ?? 0, window.start)
      const { events, position, hasMore } = await readPage({ caller, project, sight, query }, after)
      return { data: events, nextAfter: position, hasMore, reset: isReset }
    },

    async follow(caller, query, signal) {
      const { generation } = catalog
      const { project, sight } = await finder.requireProject(caller, ACCESS, query.projectId)
      const window = await storage.events.window(project.id, sight.lanes)
      return stream({ caller, query, signal, project, sight, generation, window })
    },
  }
}

function commentChars(events: readonly Event[]): number {
  return events.reduce((sum, { comment }) => sum + (comment?.text.length ?? 0), 0)
}

function viewFor(caller: Caller, { id }: ProjectRecord, { lanes }: Sight): EventView {
  return { projectId: id, lanes, hidesComments: !hasScope(caller, 'issues:read') }
}

interface Reader {
  readonly caller: Caller
  readonly query: StreamQuery
  readonly signal: AbortSignal
  readonly project: ProjectRecord
  readonly sight: Sight
  readonly generation: number
  readonly window: EventWindow
}

/** Before the window, events have been missed; after its end, the position is not from this log. */
function isOutside({ start, end }: EventWindow, position: number): boolean {
  return position < start || position > end
}
