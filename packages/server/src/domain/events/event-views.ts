import type { ActorKind, Comment, Event } from '@bugle/contract'
import type { CommentPlace, CommentRecord } from '../../model/comments/comments.ts'
import type { Actor, EventRecord, MemberChange } from '../../model/events.ts'
import { type IssueId, isId, type ProjectId, type UserId } from '../../model/ids.ts'
import { type Lane, positionFor } from '../../model/lanes.ts'
import type { Storage } from '../../storage/storage.ts'
import { showCommentAttachment } from '../attachments/attachment-views.ts'
import { isoTime } from '../iso-time.ts'
import type { Catalog } from '../projects/catalog.ts'
import { addFileNames } from './add-file-names.ts'

/** The maximum number of cached names. Beyond it, all are looked up again. */
const MAX_CACHED = 10_000

/** Entries of the log as a caller sees them, with the current names of their actors and the comments they are about. */
export interface EventViews {
  show(event: EventRecord, view: EventView): Promise<Event>
  showAll(events: readonly EventRecord[], view: EventView): Promise<Event[]>
  /** Comments on an issue. */
  showComments(issueId: IssueId, comments: readonly CommentRecord[]): Promise<Comment[]>
}

/** The project of the events, and the lanes that the reader sees, in which positions are counted. */
export interface EventView {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
  /** The reader may not read issues, so comments are not shown. */
  readonly hidesComments?: boolean
}

interface ViewDependencies {
  readonly storage: Storage
  readonly catalog: Catalog
}

/** Names are looked up together, and cached until a key or a person changes. */
export function createEventViews({ storage, catalog }: ViewDependencies): EventViews {
  let known = new Map<Actor, string | null>()
  let knownIn = catalog.generation

  async function namesOf(actors: Iterable<Actor>): Promise<ReadonlyMap<Actor, string | null>> {
    if (knownIn !== catalog.generation || known.size > MAX_CACHED) {
      known = new Map()
      knownIn = catalog.generation
    }
    const names = known
    const unknown = [...new Set(actors)]
      .filter((actor) => actor !== null)
      .filter((actor) => !isId('rpr', actor))
      .filter((actor) => !names.has(actor))
    if (unknown.length === 0) return names
    const found = await storage.events.findActorNames(unknown)
    for (const actor of unknown) names.set(actor, found.get(actor) ?? null)
    return names
  }

  /** The comments that events are about, as they are now. Events do not contain them, so that a deleted text is nowhere. */
  async function commentsOf(
    events: readonly EventRecord[],
    projectId: ProjectId,
  ): Promise<readonly CommentRecord[]> {
    const places = events.flatMap((event) => placeOf(event) ?? [])
    return places.length === 0 ? [] : storage.comments.findSome(projectId, places)
  }

  async function showAll(events: readonly EventRecord[], view: EventView): Promise<Event[]> {
    const comments = view.hidesComments ? [] : await commentsOf(events, view.projectId)
    const inEvents = events.flatMap(({ actor, changes }) => [actor, ...changes.flatMap(peopleIn)])
    const names = await namesOf([...inEvents, ...comments.map(({ author }) => author)])
    const named = await addFileNames(events, view.projectId, storage.attachments)
    return named.map((event) => showEvent(event, view, { names, comments }))
  }

  return {
    async show(event, view) {
      const [shown] = await showAll([event], view)
      if (shown === undefined) throw new TypeError('an event is shown as one event')
      return shown
    },
    showAll,
    async showComments(issueId, comments) {
      const names = await namesOf(comments.map(({ author }) => author))
      return comments.map((comment) => showComment(issueId, comment, names))
    },
  }
}

interface Known {
  readonly names: Names
  readonly comments: readonly CommentRecord[]
}

type Names = ReadonlyMap<Actor, string | null>

function showEvent(event: EventRecord, { projectId, lanes }: EventView, { names, comments }: Known): Event {
  const { actor } = event
  return {
    position: positionFor(lanes, event),
    type: event.type,
    createdAt: isoTime(event.createdAt),
    projectId,
    issueId: event.issueId,
    issueNumber: event.issueNumber,
    actor: showActor(actor, names),
    changes: [...event.changes],
    note: event.note,
    reason: event.reason,
    confirmed: event.confirmed ?? null,
    comment: showCommentOf(event, { names, comments }),
    ...namesInChanges(event, names),
  }
}

/** Which comment an event is about, unless it was deleted. */
function placeOf({ type, issueNumber, changes }: EventRecord): CommentPlace | undefined {
  if (type !== 'comment.created' && type !== 'comment.updated') return undefined
  const id = changes.find(({ member }) => member === 'comment')?.to
  return issueNumber === null || typeof id !== 'string' ? undefined : { issueNumber, id }
}

function showCommentOf(event: EventRecord, { names, comments }: Known): Comment | null {
  const place = placeOf(event)
  if (place === undefined || event.issueId === null) return null
  const comment = comments.find(({ id, issueNumber }) => id === place.id && issueNumber === place.issueNumber)
  return comment === undefined ? null : showComment(event.issueId, comment, names)
}

function showComment(issueId: IssueId, comment: CommentRecord, names: Names): Comment {
  const { id, text, audience, reportNumber, author, mentions, attachments, createdAt, editedAt } = comment
  return {
    id,
    issueId,
    text,
    audience,
    reportNumber,
    author: showActor(author, names),
    mentions: [...mentions],
    attachments: attachments.map(showCommentAttachment),
    createdAt: isoTime(createdAt),
    editedAt: editedAt === null ? null : isoTime(editedAt),
  }
}

function showActor(actor: Actor, names: Names): Event['actor'] {
  return { kind: kindOf(actor), id: actor, name: names.get(actor) ?? null }
}

/** The people that a change is about. */
function peopleIn({ member, from, to }: MemberChange): readonly UserId[] {
  if (member !== 'assigneeId') return []
  return [from, to].filter((id): id is UserId => typeof id === 'string' && isId('usr', id))
}

function namesInChanges(
  { changes }: EventRecord,
  names: ReadonlyMap<Actor, string | null>,
): { readonly names?: Record<string, string> } {
  const people = changes.flatMap(peopleIn)
  if (people.length === 0) return {}
  const known = people.flatMap((id) => {
    const name = names.get(id) ?? null
    return name === null ? [] : [[id, name] as const]
  })
  return { names: Object.fromEntries(known) }
}

function kindOf(actor: Actor): ActorKind {
  if (actor === null) return 'system'
  if (isId('rpr', actor)) return 'reporter'
  return isId('usr', actor) ? 'user' : 'key'
}
