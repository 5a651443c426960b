import { DEFAULT_FEED_SIZE, type Event, type EventFeed, type EventQuery, endpoints } from '@bugle/contract'
import type { EventWindow } from '../storage/records/events.ts'
import type { ProjectRecord } from '../storage/records/projects.ts'
import type { Storage } from '../storage/storage.ts'
import type { Caller, Sight } from './access.ts'
import type { Callers } from './callers.ts'
import type { Catalog } from './catalog.ts'
import { DomainError } from './domain-error.ts'
import type { EventHub } from './event-hub.ts'
import type { EventViews } from './event-views.ts'
import type { IssueFinder } from './issue-finder.ts'
import { createTurns } from './turns.ts'

/** A stream that has nothing to say says so this often, so that proxies do not take it for dead. */
const HEARTBEAT_MS = 15_000
const STREAM_STEP_EVENTS = 100
/** Steps of all streams that wait for the database at the same time. */
const STREAM_STEPS_AT_ONCE = 4

/** What a live stream consists of. */
export type StreamItem =
  | { readonly kind: 'events'; readonly events: readonly Event[] }
  /** The place to resume from is not in the log: list again, and go on from here. */
  | { readonly kind: 'reset'; readonly position: number }
  | { readonly kind: 'heartbeat' }

export interface Events {
  read(caller: Caller, query: EventQuery): Promise<EventFeed>
  /** Follows a project's log until the signal ends it, or the caller may no longer see it. */
  follow(caller: Caller, query: EventQuery, signal: AbortSignal): Promise<AsyncIterable<StreamItem>>
}

interface EventParts {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly callers: Callers
  readonly finder: IssueFinder
  readonly hub: EventHub
  readonly eventViews: EventViews
}

const ACCESS = endpoints.listEvents.access

export function createEvents(parts: EventParts): Events {
  const { storage, catalog, callers, finder, hub, eventViews } = parts
  const turns = createTurns(STREAM_STEPS_AT_ONCE)
  const types = ({ type }: EventQuery) => (type === undefined ? null : type)

  async function* stream(reader: Reader): AsyncGenerator<StreamItem> {
    const { query, signal, window } = reader
    let { caller, project, sight, generation } = reader
    let position = query.after ?? window.end
    if (isOutside(window, position)) {
      position = window.end
      yield { kind: 'reset', position }
    }
    // From before the first read: news that comes while a step is read must not wait for the next heartbeat.
    const news = hub.listen(project.id)
    let saidAt = performance.now()
    try {
      while (!signal.aborted) {
        if (catalog.generation !== generation || callers.mayBeOver(caller)) {
          generation = catalog.generation
          const renewed = await renew(caller, query)
          if (renewed === undefined || renewed.project.id !== project.id) return
          ;({ caller, project, sight } = renewed)
        }
        const step = await turns.take(() => readStep({ project, sight, query, signal }, position))
        if (step === undefined) return
        if (step.events.length > 0) {
          yield { kind: 'events', events: step.events }
          saidAt = performance.now()
        }
        position = step.lastExamined
        if (step.hasMore) continue
        // Counted from what was said last: news that this reader may not see must not delay it.
        await news.wait(saidAt + HEARTBEAT_MS - performance.now(), signal)
        if (performance.now() - saidAt < HEARTBEAT_MS) continue
        yield { kind: 'heartbeat' }
        saidAt = performance.now()
      }
    } finally {
      news.stop()
    }
  }

  /** The next events of a stream, as they are shown; `undefined` if nobody reads it any more. */
  async function readStep(
    { project, sight, query, signal }: Pick<Reader, 'project' | 'sight' | 'query' | 'signal'>,
    after: number,
  ) {
    if (signal.aborted) return undefined
    const selection = { projectId: project.id, lanes: sight.lanes, types: types(query), after }
    const part = await storage.events.list({ ...selection, limit: STREAM_STEP_EVENTS })
    return { ...part, events: await eventViews.showAll(part.events, project.id) }
  }

  /** What the caller may see by now: rights may have changed while the stream was open. */
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
      const window = await storage.events.window(project.id)
      const isReset = query.after !== undefined && query.after > 0 && isOutside(window, query.after)
      const after = isReset ? window.start : Math.max(query.after ?? 0, window.start)
      const limit = query.limit ?? DEFAULT_FEED_SIZE
      const selection = { projectId: project.id, lanes: sight.lanes, types: types(query), after, limit }
      const part = await storage.events.list(selection)
      return {
        data: await eventViews.showAll(part.events, project.id),
        nextAfter: part.lastExamined,
        hasMore: part.hasMore,
        reset: isReset,
      }
    },

    async follow(caller, query, signal) {
      const { generation } = catalog
      const { project, sight } = await finder.requireProject(caller, ACCESS, query.projectId)
      const window = await storage.events.window(project.id)
      return stream({ caller, query, signal, project, sight, generation, window })
    },
  }
}

interface Reader {
  readonly caller: Caller
  readonly query: EventQuery
  readonly signal: AbortSignal
  readonly project: ProjectRecord
  readonly sight: Sight
  readonly generation: number
  readonly window: EventWindow
}

/** Before the window something was missed; after its end is a place that this log has never had. */
function isOutside({ start, end }: EventWindow, position: number): boolean {
  return position < start || position > end
}
