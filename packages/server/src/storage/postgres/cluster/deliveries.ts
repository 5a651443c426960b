import { MAX_PENDING_DELIVERIES } from '../../../model/decisions/plan-fan-out.ts'
import type { ProjectId, WebhookId } from '../../../model/ids.ts'
import type { Claim, ClaimCommand } from '../../../model/webhooks.ts'
import { addLastNumbers, type LastNumbers } from '../../issues/last-numbers.ts'
import { BY_URGENCY, claimFrom, hasDue } from '../../nouns/webhooks/send-deliveries.ts'
import { COUNT_PENDING } from '../../nouns/webhooks/tally-webhooks.ts'
import { selectWebhooks } from '../../nouns/webhooks/webhooks.ts'
import { all, List, type Operation, type Operations, readId, storedId } from '../../operations.ts'
import type { DeliveryStorage } from '../../ports/webhooks.ts'

/** Webhooks are on the coordinator, and deliveries with their projects: so the webhooks are read first, then the deliveries of each project. */
export function clusterDeliveries({
  read,
  writeInBackground,
}: Operations): Pick<DeliveryStorage, 'listBehind' | 'isAnyDue' | 'claimDue'> {
  return {
    listBehind: (limit) => read(listBehind, limit),
    isAnyDue: async (now) => (await read(findDue, now, 1)).length > 0,
    async claimDue(command) {
      const due = await read(findDue, command.now, Number.POSITIVE_INFINITY)
      return due.length === 0 ? [] : writeInBackground(claimDueOf, due, command)
    },
  }
}

interface ActiveWebhook {
  readonly id: WebhookId
  readonly projectId: ProjectId
  readonly number: number
}

const IS_ACTIVE = "w.status = 'active'"
const SELECT_ACTIVE = `SELECT w.id, p.id AS project_id, w.project AS seq, w.number, w.position,
    p.last_issue_number, p.last_event_position, p.last_open_position
  FROM webhooks w JOIN projects p ON p.seq = w.project AND p.slug IS NOT NULL WHERE ${IS_ACTIVE}`

interface ActiveRow extends LastNumbers {
  readonly id: unknown
  readonly project_id: unknown
  readonly seq: number
  readonly number: number
  readonly position: number
}

function* listActive(): Operation<ReadonlyMap<number, readonly ActiveWebhook[]>> {
  return byProject(yield* all<ActiveRow>(SELECT_ACTIVE))
}

function byProject(rows: readonly ActiveRow[]): ReadonlyMap<number, readonly ActiveWebhook[]> {
  const groups = Map.groupBy(rows, ({ seq }) => seq)
  return new Map(
    Array.from(groups, ([project, webhooks]) => [
      project,
      webhooks.map(({ id, project_id: projectId, number }) => ({
        ...{ id: readId('whk', id), projectId: readId('prj', projectId), number },
      })),
    ]),
  )
}

function numbersOf(webhooks: readonly ActiveWebhook[]): List {
  return new List(webhooks.map(({ number }) => number))
}

function* listBehind(limit: number): Operation<readonly Pick<ActiveWebhook, 'id' | 'projectId'>[]> {
  const active = yield* addLastNumbers(yield* all<ActiveRow>(SELECT_ACTIVE))
  const behind = active.filter(({ position, last_event_position: last }) => position < last)
  const found: Pick<ActiveWebhook, 'id' | 'projectId'>[] = []
  for (const [project, webhooks] of byProject(behind)) {
    const rows = yield* all<{ webhook: number; count: number }>(COUNT_PENDING, project, numbersOf(webhooks))
    const full = rows.filter(({ count }) => count >= MAX_PENDING_DELIVERIES).map(({ webhook }) => webhook)
    for (const { id, projectId, number } of webhooks)
      if (!full.includes(number)) found.push({ id, projectId })
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

const SELECT_DUE = `SELECT k.number FROM unnest($2::bigint[]) AS k (number) WHERE ${hasDue('$1', 'k.number', '$3')}`

/** The active webhooks with due deliveries, of as many projects as it takes to find some. */
function* findDue(now: number, enough: number): Operation<readonly WebhookId[]> {
  const due: WebhookId[] = []
  for (const [project, webhooks] of yield* listActive()) {
    const rows = yield* all<{ number: number }>(SELECT_DUE, project, numbersOf(webhooks), now)
    const numbers = new Set(rows.map(({ number }) => number))
    due.push(...webhooks.filter(({ number }) => numbers.has(number)).map(({ id }) => id))
    if (due.length >= enough) break
  }
  return due
}

const LOCK_SOME = selectWebhooks(
  `WHERE ${IS_ACTIVE} AND w.id = ANY ($1) ${BY_URGENCY} LIMIT $2 FOR UPDATE OF w SKIP LOCKED`,
)

function* claimDueOf(due: readonly WebhookId[], command: ClaimCommand): Operation<readonly Claim[]> {
  return yield* claimFrom(yield* all(LOCK_SOME, new List(due.map(storedId)), command.limit), command)
}
