import type { WebhookTally } from '../../../model/webhooks.ts'
import { type Dialect, forBoth } from '../../dialects.ts'
import { all, List, type Operation } from '../../operations.ts'

/** The pending deliveries of the webhooks `$2` of project `$1`. */
export function arePending({ isIn }: Dialect): string {
  return `FROM deliveries d WHERE d.project = $1 AND ${isIn('d.webhook', '$2')} AND d.status = 'pending'`
}

export const COUNT_PENDING = forBoth(
  (dialect) => `SELECT d.webhook, count(*) AS count ${arePending(dialect)} GROUP BY d.webhook`,
)

const SELECT_STATES = `SELECT w.project, w.number, w.status, w.failing_since FROM webhooks w
  JOIN projects p ON p.seq = w.project AND p.slug IS NOT NULL`

interface StateRow {
  readonly project: number
  readonly number: number
  readonly status: 'active' | 'paused'
  readonly failing_since: number | null
}

const COUNT_PENDING_OF_PROJECTS = forBoth(
  ({ isIn, byIndex }) =>
    `SELECT d.project, d.webhook, count(*) AS count FROM deliveries d ${byIndex('deliveries_due')}
     WHERE ${isIn('d.project', '$1')} AND d.status = 'pending' GROUP BY d.project, d.webhook`,
)

interface PendingRow {
  readonly project: number
  readonly webhook: number
  readonly count: number
}

/** Two statements, because on a cluster the webhooks are on the coordinator and the deliveries are not. */
export function* tallyWebhooks(): Operation<WebhookTally> {
  const webhooks = yield* all<StateRow>(SELECT_STATES)
  const projects = new List([...new Set(webhooks.map(({ project }) => project))])
  const rows = yield* all<PendingRow>(COUNT_PENDING_OF_PROJECTS, projects)
  // Those of a deleted webhook are deleted later.
  const known = new Set(webhooks.map(({ project, number }) => `${project}/${number}`))
  const pending = rows.filter(({ project, webhook }) => known.has(`${project}/${webhook}`))
  const states = webhooks.map(stateOf)
  const count = (wanted: WebhookState) => states.filter((state) => state === wanted).length
  return {
    ...{ active: count('active'), failing: count('failing'), paused: count('paused') },
    pending: pending.reduce((sum, row) => sum + row.count, 0),
  }
}

type WebhookState = 'active' | 'failing' | 'paused'

function stateOf({ status, failing_since: since }: StateRow): WebhookState {
  if (status === 'paused') return 'paused'
  return since === null ? 'active' : 'failing'
}
