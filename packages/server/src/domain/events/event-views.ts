import type { ActorKind, Event } from '@bugle/contract'
import type { Actor, EventRecord } from '../../model/events.ts'
import { isId, type ProjectId } from '../../model/ids.ts'
import { type Lane, positionFor } from '../../model/lanes.ts'
import type { Storage } from '../../storage/storage.ts'
import { isoTime } from '../iso-time.ts'
import type { Catalog } from '../projects/catalog.ts'

/** Names kept. When there are more, all are asked for again. */
const MAX_CACHED = 10_000

/** Entries of the log as a caller sees them, with the current names of their actors. */
export interface EventViews {
  show(event: EventRecord, view: EventView): Promise<Event>
  showAll(events: readonly EventRecord[], view: EventView): Promise<Event[]>
}

/** Whose events they are, and the lanes that the reader sees: positions are counted in these. */
export interface EventView {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
}

interface ViewDependencies {
  readonly storage: Storage
  readonly catalog: Catalog
}

/** Names are looked up together, and remembered until a key or a person changes. */
export function createEventViews({ storage, catalog }: ViewDependencies): EventViews {
  let known = new Map<Actor, string | null>()
  let knownIn = catalog.generation

  async function namesOf(events: readonly EventRecord[]): Promise<ReadonlyMap<Actor, string | null>> {
    if (knownIn !== catalog.generation || known.size > MAX_CACHED) {
      known = new Map()
      knownIn = catalog.generation
    }
    const names = known
    const actors = new Set(events.map(({ actor }) => actor).filter((actor) => actor !== null))
    const unknown = [...actors].filter((actor) => !names.has(actor))
    if (unknown.length === 0) return names
    const found = await storage.events.findActorNames(unknown)
    for (const actor of unknown) names.set(actor, found.get(actor) ?? null)
    return names
  }

  return {
    async show(event, view) {
      return showEvent(event, view, await namesOf([event]))
    },
    async showAll(events, view) {
      const names = await namesOf(events)
      return events.map((event) => showEvent(event, view, names))
    },
  }
}

function showEvent(
  event: EventRecord,
  { projectId, lanes }: EventView,
  names: ReadonlyMap<Actor, string | null>,
): Event {
  const { actor } = event
  return {
    position: positionFor(lanes, event),
    type: event.type,
    createdAt: isoTime(event.createdAt),
    projectId,
    issueId: event.issueId,
    issueNumber: event.issueNumber,
    actor: { kind: kindOf(actor), id: actor, name: names.get(actor) ?? null },
    changes: [...event.changes],
    note: event.note,
    reason: event.reason,
    confirmed: event.confirmed ?? null,
  }
}

function kindOf(actor: Actor): ActorKind {
  if (actor === null) return 'system'
  return isId('usr', actor) ? 'user' : 'key'
}
