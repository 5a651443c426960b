import { applyVerdict, EVENTS_LOST, resumeWebhook } from '../../../model/decisions/change-webhook.ts'
import { judgeDelivery, slotsOf } from '../../../model/decisions/judge-delivery.ts'
import {
  FAN_OUT_STEP_EVENTS,
  MAX_PENDING_DELIVERIES,
  planFanOut,
} from '../../../model/decisions/plan-fan-out.ts'
import type { ProjectId, WebhookId } from '../../../model/ids.ts'
import {
  type AttemptCommand,
  type Claim,
  type ClaimCommand,
  lanesOfWebhook,
  type WebhookRecord,
} from '../../../model/webhooks.ts'
import { forBoth } from '../../dialects.ts'
import { confirmationOf, REGRESSION_DETAILS } from '../../issues/event-rows.ts'
import { type IssueValues, issueColumns, issueIn } from '../../issues/issue-rows.ts'
import { highestLane, laneOfCode, SPAM_CODE } from '../../issues/lane-codes.ts'
import {
  all,
  allLists,
  commitWithoutWaiting,
  List,
  type Operation,
  one,
  readId,
  send,
  storedId,
  storedSeq,
} from '../../operations.ts'
import { ATTEMPTS, DELIVERIES, type DeliveryRow } from '../../tables/webhooks.ts'
import { type EventRow, eventsAt, type ShownRow, shownLane, toEvent } from '../issues/event-log.ts'
import { lockProject } from '../projects.ts'
import {
  applyDecision,
  lockFreeWebhook,
  lockWebhook,
  type StoredWebhook,
  selectWebhooks,
  toStoredWebhook,
} from './webhooks.ts'

const SELECT_BEHIND = forBoth(
  ({
    current,
  }) => `SELECT w.id, p.id AS project_id FROM webhooks w JOIN ${current('projects')} p ON p.seq = w.project
     WHERE w.status = 'active' AND w.position < p.last_event_position AND p.slug IS NOT NULL
       AND (SELECT count(*) FROM deliveries d WHERE d.project = w.project AND d.webhook = w.number
         AND d.status = 'pending') < $1
     LIMIT $2`,
)

/** Webhooks that are behind the log and have room for more pending deliveries. */
export function* listBehind(limit: number): Operation<readonly Pick<WebhookRecord, 'id' | 'projectId'>[]> {
  const rows = yield* all<{ id: unknown; project_id: unknown }>(
    SELECT_BEHIND,
    ...[MAX_PENDING_DELIVERIES, limit],
  )
  return rows.map((row) => ({ id: readId('whk', row.id), projectId: readId('prj', row.project_id) }))
}

const SELECT_NEXT = forBoth(
  (dialect) =>
    `SELECT ${dialect.numberIn('e.position')} AS position, e.type, ${shownLane(dialect)} AS shown_lane,
       ${REGRESSION_DETAILS} FROM events e
     WHERE ${dialect.isAfter('e.position', '$1', '$2')} AND ${dialect.isUpTo('e.position', '$1', '$3')}
     ORDER BY ${dialect.orderOf('e.position')} LIMIT $4`,
)
const INSERT_PENDING = forBoth(
  ({ rowsOf }) =>
    `INSERT INTO deliveries (project, webhook, position, status, created_at, next_attempt_at, attempts, series_attempts)
     SELECT $1, $2, position, 'pending', $4, $4, 0, 0 FROM ${rowsOf('$3', 'position')}`,
)

/** Turns the next matching events into deliveries of a webhook. The log is locked only if there is an event to add. */
export function* fanOut(projectId: ProjectId, id: WebhookId, now: number): Operation<boolean> {
  const losing = yield* one(
    `SELECT 1 FROM projects p JOIN webhooks w ON w.project = p.seq AND w.id = $2
     WHERE p.id = $1 AND p.expired_position > w.position`,
    ...[storedId(projectId), storedId(id)],
  )
  // The project is always locked before the webhook.
  if (losing !== undefined) yield* lockProject(projectId)
  const found = yield* lockFreeWebhook(projectId, id)
  if (found?.webhook.status !== 'active') return false
  const { project, webhook } = found
  const lost = losing === undefined ? null : found.lostPosition
  if (lost !== null) yield* skipLost(found, now)
  const after = lost ?? found.position
  // Includes the event about the lost events.
  const end = lost === null ? found.lastPosition : found.lastPosition + 1
  const rows = yield* all<NextRow>(SELECT_NEXT, project, after, end, FAN_OUT_STEP_EVENTS)
  const pending = yield* one<{ count: number }>(
    `SELECT count(*) AS count FROM deliveries WHERE project = $1 AND webhook = $2 AND status = 'pending'`,
    ...[project, webhook.number],
  )
  const events = rows.map(({ shown_lane: lane, ...row }) => ({
    ...row,
    lane: lane === null || lane >= SPAM_CODE ? null : laneOfCode(lane),
    ...confirmationOf(row),
  }))
  const { positions, position } = planFanOut(webhook, { events, end, pending: pending?.count ?? 0 })
  if (positions.length > 0) yield* send(INSERT_PENDING, project, webhook.number, new List(positions), now)
  // Another node may have advanced further since the log was read.
  if (position <= found.position) return false
  yield* send(
    'UPDATE webhooks SET position = $3 WHERE project = $1 AND number = $2',
    ...[project, webhook.number, position],
  )
  return true
}

type NextRow = Pick<EventRow, 'position' | 'type' | 'details'> & ShownRow

/** Adds an event about the lost events. */
function* skipLost(found: StoredWebhook, at: number): Operation<void> {
  const { event } = resumeWebhook(found.webhook, EVENTS_LOST)
  yield* applyDecision(found, { webhook: found.webhook, event }, { at, actor: null })
}

// An ordered subquery instead of a join, so that only one index is possible, whatever the table statistics say.
export function hasDue(project: string, webhook: string, now: string): string {
  return `(SELECT 1 FROM deliveries d WHERE d.project = ${project} AND d.webhook = ${webhook}
    AND d.status = 'pending' AND d.next_attempt_at <= ${now} ORDER BY d.next_attempt_at LIMIT 1) IS NOT NULL`
}

const HAS_DUE = `w.status = 'active' AND ${hasDue('w.project', 'w.number', '$1')}`

const IS_ANY_DUE = `SELECT 1 FROM webhooks w JOIN projects p ON p.seq = w.project AND p.slug IS NOT NULL WHERE ${HAS_DUE} LIMIT 1`

export function* isAnyDue(now: number): Operation<boolean> {
  return (yield* one(IS_ANY_DUE, now)) !== undefined
}

/** Responsive webhooks come first, and ties are broken at random. */
export const BY_URGENCY = 'ORDER BY w.failing_since IS NOT NULL, random()'

// Webhooks that another node is claiming from at the moment are skipped, so that both nodes find work and each
// delivery is claimed once.
const LOCK_DUE = selectWebhooks(`WHERE ${HAS_DUE} ${BY_URGENCY} LIMIT $2 FOR UPDATE OF w SKIP LOCKED`)

/** Claims due deliveries that are not yet claimed. Those that the webhook may no longer see are dropped instead. */
export function* claimDue(command: ClaimCommand): Operation<readonly Claim[]> {
  return yield* claimFrom(yield* all(LOCK_DUE, command.now, command.limit), command)
}

/** The same for webhooks that are locked already. */
export function* claimFrom(webhooks: readonly object[], command: ClaimCommand): Operation<readonly Claim[]> {
  const claims: Claim[] = []
  for (const row of webhooks) {
    const found = toStoredWebhook(row)
    const positions = yield* duePositions(found, command, command.limit - claims.length)
    if (positions.length > 0) claims.push(...(yield* claimSome(found, positions, command)))
  }
  return claims
}

// Deliveries that are already claimed use up slots too.
const SELECT_DUE = `SELECT position FROM deliveries WHERE project = $1 AND webhook = $2 AND status = 'pending'
    AND next_attempt_at <= $3 AND (leased_until IS NULL OR leased_until <= $3)
  ORDER BY next_attempt_at, position LIMIT (
    SELECT CASE WHEN $4::bigint <= count(*) THEN 0 WHEN $4 - count(*) < $5 THEN $4 - count(*) ELSE $5::bigint END
    FROM deliveries WHERE project = $1 AND webhook = $2 AND leased_until > $3)`

/** The due deliveries to claim: as many as the webhook may have claimed at the same time, and at most `room`. */
function* duePositions(
  { project, webhook }: StoredWebhook,
  { now, perWebhook }: ClaimCommand,
  room: number,
): Operation<readonly number[]> {
  if (room <= 0) return []
  const slots = slotsOf(webhook, perWebhook, now)
  const due = yield* all<{ position: number }>(SELECT_DUE, project, webhook.number, now, slots, room)
  return due.map(({ position }) => position)
}

const SELECT_ISSUES = forBoth(
  (dialect) =>
    `SELECT ${issueColumns(dialect)}
     FROM issues i WHERE ${dialect.isKeyIn('i.number', '$1', '$2')}`,
)
const LEASE = forBoth(
  ({ isIn }) =>
    `UPDATE deliveries SET leased_until = $4 WHERE project = $1 AND webhook = $2 AND ${isIn('position', '$3')}`,
)
const DROP = forBoth(
  ({ isIn }) =>
    `UPDATE deliveries SET status = 'dropped', finished_at = $4, next_attempt_at = NULL, leased_until = NULL
     WHERE project = $1 AND webhook = $2 AND ${isIn('position', '$3')}`,
)

function* claimSome(
  found: StoredWebhook,
  positions: readonly number[],
  { now, leaseMs }: ClaimCommand,
): Operation<readonly Claim[]> {
  const { project, webhook } = found
  const events = yield* eventsAt(project, positions)
  const isClaimed = (position: number) => {
    const lane = events.get(position)?.shown_lane ?? null
    return lane !== null && lane <= highestLane(lanesOfWebhook(webhook))
  }
  const [claimed, dropped] = [positions.filter(isClaimed), positions.filter((place) => !isClaimed(place))]
  const set = (text: typeof LEASE, chosen: readonly number[], at: number) =>
    send(text, project, webhook.number, new List(chosen), at)
  if (claimed.length > 0) yield* set(LEASE, claimed, now + leaseMs)
  if (dropped.length > 0) yield* set(DROP, dropped, now)
  const chosen = claimed.flatMap((position) => events.get(position) ?? [])
  const numbers = chosen.flatMap(({ issue_number: number }) => number ?? [])
  const issues =
    numbers.length === 0
      ? []
      : yield* allLists<IssueValues>(SELECT_ISSUES, project, new List([...new Set(numbers)]))
  const issueAt = new Map(issues.map((row) => [row[0], row]))
  return chosen.map((event) => toClaim(found, event, issueAt.get(event.issue_number ?? 0)))
}

function toClaim(found: StoredWebhook, event: EventRow, issue: IssueValues | undefined): Claim {
  const { webhook, projectName: name, projectSlug: slug } = found
  const { projectId } = webhook
  return {
    webhook,
    project: { id: projectId, name, slug },
    event: toEvent({ ...event, issue_id: issue?.[1] }),
    issue: issue ? issueIn(issue, projectId) : null,
  }
}

const IS_DELIVERY = 'project = $1 AND webhook = $2 AND position = $3'

/** Run in this order: the webhook is locked before its deliveries. Another attempt may have finished the delivery. */
const RECORD_SUCCESS = {
  webhook: forBoth(
    ({ seq }) =>
      `UPDATE webhooks SET last_success_at = $3, failing_since = NULL WHERE project = ${seq('$1')} AND id = $2
       RETURNING project, number`,
  ),
  delivery: `UPDATE deliveries SET status = CASE WHEN status = 'pending' THEN 'delivered' ELSE status END,
      finished_at = CASE WHEN status = 'pending' THEN $4::bigint ELSE finished_at END,
      next_attempt_at = CASE WHEN status = 'pending' THEN NULL ELSE next_attempt_at END,
      attempts = attempts + 1, series_attempts = series_attempts + 1, leased_until = NULL WHERE ${IS_DELIVERY}`,
  attempt: `INSERT INTO attempts (project, webhook, position, number, at, http_status, duration_ms, response)
    SELECT project, webhook, position, attempts, $4::bigint, $5::integer, $6::integer, $7::text
    FROM deliveries WHERE ${IS_DELIVERY}`,
}

/** Records an attempt and its consequences; returns whether it paused the webhook. */
export function* recordAttempt(command: AttemptCommand): Operation<boolean> {
  if (command.result.error !== null) return yield* recordFailure(command)
  const { position, sentAt, now, result } = command
  // If a crash undoes a success, the event is delivered again. That is better than holding the lock during a disk
  // write.
  yield* commitWithoutWaiting()
  const webhook = yield* one<{ project: number; number: number }>(
    RECORD_SUCCESS.webhook,
    ...[storedSeq(command.projectId), storedId(command.webhookId), now],
  )
  if (webhook === undefined) return false
  const key = [webhook.project, webhook.number, position] as const
  yield* send(RECORD_SUCCESS.delivery, ...key, now)
  const { status, durationMs, response } = result
  yield* send(RECORD_SUCCESS.attempt, ...key, sentAt, status, durationMs, response)
  return false
}

function* recordFailure(command: AttemptCommand): Operation<boolean> {
  const { projectId, webhookId, position, sentAt, now, result } = command
  // Locked because a failure may pause the webhook, and a pause adds an event.
  yield* lockProject(projectId)
  const found = yield* lockWebhook(projectId, webhookId)
  const delivery = found && (yield* lockDelivery(found, position))
  if (found === undefined || delivery === undefined) return false
  const { webhook } = found
  const { status: httpStatus, error, durationMs, response } = result
  const key = { project: delivery.project, webhook: delivery.webhook, position }
  const attempt = { number: delivery.attempts + 1, at: sentAt, httpStatus, error, durationMs, response }
  yield* send(ATTEMPTS.insert, ...ATTEMPTS.valuesOf({ ...key, ...attempt }))
  const attempts = delivery.seriesAttempts + 1
  const verdict = judgeDelivery({ ...command, attempt: attempts, failingSince: webhook.failingSince })
  const { status, nextAttemptAt, finishedAt } = settle(delivery, verdict.delivery, now)
  yield* send(
    `UPDATE deliveries SET status = $4, next_attempt_at = $5, finished_at = $6, attempts = $7, series_attempts = $8,
       leased_until = NULL WHERE project = $1 AND webhook = $2 AND position = $3`,
    ...[key.project, key.webhook, position, status, nextAttemptAt, finishedAt, attempt.number, attempts],
  )
  const decision = applyVerdict(webhook, verdict, command)
  if (decision.event !== null) {
    yield* applyDecision(found, decision, { at: now, actor: null })
    return true
  }
  const { lastSuccessAt, failingSince } = decision.webhook
  yield* send(
    'UPDATE webhooks SET last_success_at = $3, failing_since = $4 WHERE project = $1 AND number = $2',
    ...[key.project, key.webhook, lastSuccessAt, failingSince],
  )
  return false
}

/** If the issue is being deleted, either this finds nothing, or the deletion waits and deletes the attempt too. */
function* lockDelivery(
  { project, webhook }: StoredWebhook,
  position: number,
): Operation<DeliveryRow | undefined> {
  const row = yield* one(
    'SELECT * FROM deliveries WHERE project = $1 AND webhook = $2 AND position = $3 FOR UPDATE',
    ...[project, webhook.number, position],
  )
  return row && DELIVERIES.recordOf(row)
}

/** If this attempt took longer than its lease, another attempt may already have finished the delivery. */
function settle(
  delivery: DeliveryRow,
  verdict: ReturnType<typeof judgeDelivery>['delivery'],
  now: number,
): Pick<DeliveryRow, 'status' | 'nextAttemptAt' | 'finishedAt'> {
  if (delivery.status !== 'pending') return delivery
  if (verdict.kind === 'retry') return { status: 'pending', nextAttemptAt: verdict.at, finishedAt: null }
  return { status: verdict.kind, nextAttemptAt: null, finishedAt: now }
}
