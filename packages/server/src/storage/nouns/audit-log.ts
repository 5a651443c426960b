import type {
  AuditActor,
  AuditEntry,
  AuditListing,
  AuditStamp,
  NewAuditEntry,
} from '../../model/audit-log.ts'
import { auditName } from '../../model/audit-log.ts'
import { firstIdAt, isId, mintUnshardedId, type ProjectId } from '../../model/ids.ts'
import {
  allAdHoc,
  change,
  type Operation,
  type Operations,
  one,
  send,
  storedId,
  type Value,
} from '../operations.ts'
import type { AuditStorage } from '../ports/audit-log.ts'
import { AUDIT_LOG } from '../tables/people.ts'

/** Who is acting, at the moment of a write; `null` if nothing is to be recorded. */
export type Acting = () => AuditStamp | null

export function auditStorage({ read, write, writeInBackground }: Operations, acting: Acting): AuditStorage {
  return {
    add: (entry) => write(addEntry, entry, acting()),
    list: (listing) => read(listEntries, listing),
    expireSome: (before) => writeInBackground(expireSomeEntries, before),
  }
}

export function* addEntry(entry: NewAuditEntry, by: AuditStamp | null): Operation<void> {
  yield* recordChange(by, entry)
}

/** Adds an entry to the log, with the commit of the change that it describes. */
export function* recordChange(
  by: AuditStamp | null,
  {
    action,
    projectId = null,
    subject = null,
    subjectName = null,
    changes = [],
    lane = 'open',
  }: NewAuditEntry,
): Operation<void> {
  if (by === null) return
  const at = yield* nextTime(by.at)
  const entry: AuditEntry = {
    id: mintUnshardedId('aud', at),
    at,
    actor: by.actor,
    actorName: yield* nameOfActor(by.actor),
    action,
    projectId,
    projectSlug: yield* slugOf(projectId),
    subject,
    subjectName: subjectName === null ? null : auditName(subjectName),
    changes,
    lane,
  }
  yield* send(AUDIT_LOG.insert, ...AUDIT_LOG.valuesOf(entry))
}

/** Entries are ordered by time, so each gets a millisecond of its own. */
function* nextTime(now: number): Operation<number> {
  const last = yield* one<{ at: number }>('SELECT at FROM audit_log ORDER BY id DESC LIMIT 1')
  return last !== undefined && last.at >= now && last.at < now + MAX_AHEAD_MS ? last.at + 1 : now
}

/** An entry from a clock that was further ahead than this does not delay the next ones. */
const MAX_AHEAD_MS = 1_000

function* nameOfActor(actor: AuditActor): Operation<string | null> {
  const table = isId('usr', actor) ? 'users' : isId('key', actor) ? 'keys' : undefined
  if (table === undefined) return null
  const row = yield* one<{ name: string | null }>(`SELECT name FROM ${table} WHERE id = $1`, storedId(actor))
  return row?.name ? auditName(row.name) : null
}

function* slugOf(projectId: ProjectId | null): Operation<string | null> {
  if (projectId === null) return null
  const row = yield* one<{ slug: string | null }>(
    'SELECT slug FROM projects WHERE id = $1',
    storedId(projectId),
  )
  return row?.slug ?? null
}

/** Something that has entered the security lane since then is hidden with its whole past. */
const IS_OPEN = `lane = 0 AND NOT EXISTS (
  SELECT 1 FROM audit_log hidden WHERE hidden.lane = 1 AND hidden.subject = a.subject AND hidden.id > a.id)`

/** Entries are found by their ids, which begin with the time. */
function* listEntries(listing: AuditListing): Operation<readonly AuditEntry[]> {
  const { lanes, reach, actor, action, projectId, since, until, before, limit } = listing
  if (reach?.length === 0) return []
  const conditions: (readonly [text: string, ...values: Value[]])[] = lanes.includes('security')
    ? []
    : [[IS_OPEN]]
  if (reach !== null) {
    conditions.push([`project_id IN (${reach.map(() => '?').join(', ')})`, ...reach.map(storedId)])
  }
  if (actor !== null) conditions.push(['actor = ?', actor])
  if (action !== null) conditions.push(['action = ?', action])
  if (projectId !== null) conditions.push(['project_id = ?', storedId(projectId)])
  if (since !== null) conditions.push(['id >= ?', storedId(firstIdAt('aud', since))])
  if (until !== null) conditions.push(['id < ?', storedId(firstIdAt('aud', until))])
  if (before !== null) conditions.push(['id < ?', storedId(before)])
  const rows = yield* allAdHoc({
    text: `SELECT * FROM audit_log a WHERE ${['TRUE', ...conditions.map(([text]) => text)].join(' AND ')} ORDER BY id DESC LIMIT ?`,
    values: [...conditions.flatMap(([, ...values]) => values), limit],
  })
  return rows.map(AUDIT_LOG.recordOf)
}

const EXPIRE_STEP = 500

export function* expireSomeEntries(before: number): Operation<boolean> {
  const deleted = yield* change(
    `DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE id < $1 ORDER BY id LIMIT ${EXPIRE_STEP})`,
    storedId(firstIdAt('aud', before)),
  )
  return deleted > 0
}
