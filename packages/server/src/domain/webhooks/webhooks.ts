import {
  type Attempt,
  DEFAULT_WEBHOOK_FORMAT,
  endpoints,
  MAX_WEBHOOKS,
  type Webhook,
  type WebhookCreation,
  type WebhookPage,
  type WebhookPatch,
  type WebhookQuery,
  type WebhookWithSecret,
} from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { mintId, projectNumberOf } from '../../model/ids.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { type AttemptResult, auditedAs, type NewWebhook, type WebhookRecord } from '../../model/webhooks.ts'
import type { Storage } from '../../storage/storage.ts'
import { actorOf, auditActorOf, type Caller, homeOf, requireReach, type Sight } from '../access/access.ts'
import { pagingOf } from '../cursor-pages.ts'
import { badMember, DomainError, notFound } from '../domain-error.ts'
import { createTurns } from '../events/turns.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'
import type { WebhookFinder } from './webhook-finder.ts'
import { showAttempt, showWebhook } from './webhook-views.ts'

/** How long a replaced secret continues to sign messages, in addition to the new one. */
const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1_000

/** The operations on webhooks. */
export interface Webhooks {
  create(caller: Caller, given: WebhookCreation): Promise<WebhookWithSecret>
  list(caller: Caller, query: WebhookQuery): Promise<WebhookPage>
  get(caller: Caller, id: string): Promise<Webhook>
  change(caller: Caller, id: string, patch: WebhookPatch): Promise<Webhook>
  delete(caller: Caller, id: string): Promise<void>
  rotateSecret(caller: Caller, id: string): Promise<WebhookWithSecret>
  /** Sends a test message now, and returns the result. */
  test(caller: Caller, id: string): Promise<Attempt>
}

/** The part of outgoing requests that these rules need. */
export interface WebhookGateway {
  /** Why a URL is not allowed, as a sentence; `undefined` if it is allowed. */
  judgeUrl(url: string): string | undefined
  mintSecret(): string
  sendTest(webhook: WebhookRecord, project: ProjectRecord): Promise<AttemptResult>
}

interface WebhookDependencies {
  readonly storage: Storage
  readonly clock: Clock
  readonly finder: IssueFinder
  readonly findWebhook: WebhookFinder
  readonly gateway: WebhookGateway
}

/** Webhooks whose pending deliveries are counted in one step. */
const COUNTED_AT_ONCE = 50

export function createWebhooks({
  storage,
  clock,
  finder,
  findWebhook,
  gateway,
}: WebhookDependencies): Webhooks {
  const turns = createTurns()

  const webhooksOf = (caller: Caller) => storage.actingAs(auditActorOf(caller), clock).webhooks

  async function show(webhook: WebhookRecord): Promise<Webhook> {
    return showWebhook(webhook, await storage.deliveries.countPending(webhook))
  }

  /** Each webhook may have a thousand pending deliveries, so they are counted in steps. */
  async function showAll(webhooks: readonly WebhookRecord[]): Promise<Webhook[]> {
    const parts = Array.from({ length: Math.ceil(webhooks.length / COUNTED_AT_ONCE) }, (_, part) =>
      webhooks.slice(part * COUNTED_AT_ONCE, (part + 1) * COUNTED_AT_ONCE),
    )
    const counts = parts.map((part) => turns.take(() => storage.deliveries.countPendingOf(part)))
    const pending = (await Promise.all(counts)).flat()
    return webhooks.map((webhook, index) => showWebhook(webhook, pending[index] ?? 0))
  }

  function checkUrl(url: string | undefined): void {
    const refusal = url === undefined ? undefined : gateway.judgeUrl(url)
    if (refusal !== undefined) throw badMember('url', 'destination', refusal)
  }

  return {
    async create(caller, given) {
      const access = endpoints.createWebhook.access
      requireReach(caller, access)
      if (homeOf(caller) === null && !given.projectId) {
        throw badMember('projectId', 'required', 'projectId must be the id or slug of a project.')
      }
      const { project, sight } = await finder.requireProject(caller, access, given.projectId ?? undefined)
      checkSight(given.includeSecurity === true, sight)
      checkUrl(given.url)
      const webhook = makeWebhook(project, { ...given, secret: gateway.mintSecret(), createdAt: clock() })
      const created = await webhooksOf(caller).create(webhook)
      if (created === 'no-project') throw notFound()
      if (created === 'too-many') throw tooMany()
      return { ...(await show(created)), secret: webhook.secret }
    },

    async list(caller, query) {
      const { project, sight } = await finder.requireProject(
        caller,
        endpoints.listWebhooks.access,
        query.projectId,
      )
      const paging = pagingOf(query, ['webhooks', project.id], 0)
      const found = await storage.webhooks.list({
        projectId: project.id,
        lanes: sight.lanes,
        afterNumber: paging.from,
        limit: paging.pageSize + 1,
      })
      const shown = found.slice(0, paging.pageSize)
      return {
        data: await showAll(shown),
        pagination: paging.paginate(found.length, shown.at(-1)?.number, null),
      }
    },

    async get(caller, id) {
      const { webhook } = await findWebhook(caller, endpoints.getWebhook.access, id)
      return show(webhook)
    },

    async change(caller, id, patch) {
      const { command, sight } = await findWebhook(caller, endpoints.changeWebhook.access, id)
      checkSight(patch.includeSecurity === true, sight)
      checkUrl(patch.url)
      const change = { patch, actor: actorOf(caller), at: clock() }
      const webhook = await webhooksOf(caller).change({ ...command, ...change })
      if (webhook === undefined) throw notFound()
      if (webhook === 'too-many') throw tooMany()
      return show(webhook)
    },

    async delete(caller, id) {
      const { command } = await findWebhook(caller, endpoints.deleteWebhook.access, id)
      if ((await webhooksOf(caller).delete(command)) === 'missing') throw notFound()
    },

    async rotateSecret(caller, id) {
      const { command } = await findWebhook(caller, endpoints.rotateWebhookSecret.access, id)
      const secret = gateway.mintSecret()
      const at = clock()
      const previousUntil = at + SECRET_OVERLAP_MS
      const webhook = await webhooksOf(caller).rotateSecret({ ...command, secret, previousUntil, at })
      if (webhook === undefined) throw notFound()
      return { ...(await show(webhook)), secret }
    },

    async test(caller, id) {
      const { webhook, project } = await findWebhook(caller, endpoints.testWebhook.access, id)
      const at = clock()
      const { auditLog } = storage.actingAs(auditActorOf(caller), clock)
      await auditLog.add({ action: 'webhook.tested', ...auditedAs(webhook) })
      return showAttempt({ number: 1, at, ...(await gateway.sendTest(webhook, project)) })
    },
  }
}

/** A new webhook of a project; its id contains the project. */
export function makeWebhook(
  { id: projectId }: ProjectRecord,
  given: Omit<WebhookCreation, 'projectId'> & Pick<NewWebhook, 'secret' | 'createdAt'>,
): NewWebhook {
  return {
    id: mintId('whk', given.createdAt, projectNumberOf(projectId)),
    projectId,
    name: given.name ?? null,
    url: given.url,
    eventTypes: given.eventTypes ?? null,
    includeSecurity: given.includeSecurity ?? false,
    format: given.format ?? DEFAULT_WEBHOOK_FORMAT,
    secret: given.secret,
    createdAt: given.createdAt,
  }
}

function tooMany(): DomainError {
  return new DomainError('limit-reached', {
    detail: `A project can have ${MAX_WEBHOOKS} webhooks, and ${MAX_WEBHOOKS} with includeSecurity.`,
  })
}

/** Callers must not create webhooks for events that they may not see themselves. */
function checkSight(includesSecurity: boolean, { lanes }: Sight): void {
  if (!includesSecurity || lanes.includes('security')) return
  throw new DomainError('insufficient-scope', {
    detail: 'includeSecurity needs the scope "security:read".',
  })
}
