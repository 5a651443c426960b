import type { Lane } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { WebhookRecord } from '../../model/webhooks.ts'
import type { Storage } from '../../storage/storage.ts'
import { many } from '../data/transfer-texts.ts'
import { EVERY_LANE } from '../webhooks/find-webhook.ts'
import { durationText, type Finding, ok, warning } from './findings.ts'

const CHECK = 'webhooks'
const LIST_LIMIT = 1_000
const FAILING_MS = 3_600_000
/** Half of the maximum number of pending deliveries. */
const MANY_PENDING = 500

/** Webhooks that are paused, failing or behind. */
export async function checkWebhooks(
  storage: Storage,
  projects: readonly ProjectRecord[],
  now: number,
  lanes: readonly Lane[] = EVERY_LANE,
): Promise<readonly Finding[]> {
  const lists = await Promise.all(
    projects.map(({ id }) =>
      storage.webhooks.list({ projectId: id, lanes, afterNumber: 0, limit: LIST_LIMIT }),
    ),
  )
  const webhooks = lists.flat()
  const findings = await Promise.all(webhooks.map((webhook) => checkWebhook(storage, webhook, now)))
  const troubled = findings.flat()
  return troubled.length > 0
    ? troubled
    : [ok(CHECK, `${many(webhooks.length, 'webhook', 'webhooks')}, no problems`)]
}

async function checkWebhook(
  storage: Storage,
  webhook: WebhookRecord,
  now: number,
): Promise<readonly Finding[]> {
  const { id, name, status, pausedReason, failingSince } = webhook
  const label = name === null ? id : `${id} (${name})`
  if (status === 'paused')
    return [
      warning(
        CHECK,
        `${label} is paused (${pausedReason?.replace(/\.$/, '') ?? 'manually'})`,
        `resume it: "bugle webhook resume ${id}"; pending events are then sent`,
      ),
    ]
  if (failingSince !== null && failingSince < now - FAILING_MS) {
    const found = `${label} has been failing for ${durationText(now - failingSince)}`
    return [warning(CHECK, found, `"bugle webhook deliveries ${id}" shows why`)]
  }
  const pending = await storage.deliveries.countPending(webhook)
  if (pending < MANY_PENDING) return []
  return [
    warning(CHECK, `${label} has ${pending} pending deliveries`, 'its receiver is slower than events arrive'),
  ]
}
