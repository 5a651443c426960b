import type { Category } from '@bugle/contract/vocabulary'
import { beforeEach } from 'vitest'
import { makeWebhook } from '../src/domain/webhooks/webhooks.ts'
import type { IssueId } from '../src/model/ids.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import { normaliseSubmission } from '../src/model/reports/reports.ts'
import type {
  AttemptResult,
  Claim,
  WebhookCommand,
  WebhookPatch,
  WebhookRecord,
} from '../src/model/webhooks.ts'
import type { Storage } from '../src/storage/storage.ts'
import { NOW, reportFor, setStorageStage } from './storage-stage.ts'

export const SECOND = 1_000
export const DAY = 86_400_000
export const LEASE_MS = 30 * SECOND
export const TAKEN: AttemptResult = {
  status: 200,
  error: null,
  durationMs: 1,
  response: null,
  retryAfterSeconds: null,
}
export const FAILED: AttemptResult = { ...TAKEN, status: 500, error: 'unsuccessful-status', response: 'no' }

const EVERY_LANE: WebhookCommand['lanes'] = ['open', 'security']

/** An empty database with a project for each test of webhooks, and helpers for these tests. */
export function setWebhookStage(open: () => Promise<Storage & AsyncDisposable>) {
  const stage = setStorageStage(open)
  const { addProject } = stage
  let project: ProjectRecord

  beforeEach(async () => {
    project = await addProject('weather')
  })

  async function report(category: Category = 'bug'): Promise<IssueId> {
    const made = reportFor(project, { content: normaliseSubmission({ title: 'Blank', category }) })
    await stage.storage.issues.submit(made)
    return made.issueId
  }

  function commandFor({ id }: WebhookRecord, lanes = EVERY_LANE): WebhookCommand {
    return { projectId: project.id, webhookId: id, lanes }
  }

  const list = (webhook: WebhookRecord, lanes?: WebhookCommand['lanes']) =>
    stage.storage.deliveries.list({ ...commandFor(webhook, lanes), beforePosition: 1e9, limit: 2_000 })

  return {
    get storage() {
      return stage.storage
    },
    get project() {
      return project
    },
    addProject,
    report,
    commandFor,
    list,
    reportMany: (count: number) => Promise.all(Array.from({ length: count }, () => report())),

    async addWebhook(overrides: Partial<Parameters<typeof makeWebhook>[1]> = {}): Promise<WebhookRecord> {
      const defaults = { url: 'https://a.example/', secret: 'whsec_a', createdAt: NOW }
      const made = await stage.storage.webhooks.create(makeWebhook(project, { ...defaults, ...overrides }))
      if (typeof made === 'string') throw new Error(`the webhook was not created: ${made}`)
      return made
    },
    find: ({ id }: WebhookRecord) => stage.storage.webhooks.find(project.id, id),
    change: (webhook: WebhookRecord, patch: WebhookPatch, at = NOW) =>
      stage.storage.webhooks.change({ ...commandFor(webhook), patch, actor: null, at }),

    fanOut: ({ id }: WebhookRecord, now = NOW) => stage.storage.deliveries.fanOut(project.id, id, now),
    claim: (now = NOW, limits = {}) =>
      stage.storage.deliveries.claimDue({ now, leaseMs: LEASE_MS, perWebhook: 8, limit: 64, ...limits }),
    record({ webhook, event }: Claim, result: AttemptResult, now = NOW): Promise<void> {
      const place = { projectId: project.id, webhookId: webhook.id, position: event.position }
      return stage.storage.deliveries.recordAttempt({ ...place, sentAt: now, now, result, random: 0.5 })
    },
    async statuses(webhook: WebhookRecord): Promise<readonly string[]> {
      return (await list(webhook)).map(({ position, status }) => `${position} ${status}`)
    },

    /** The events about webhooks in the log. */
    async listPauses() {
      const selection = { projectId: project.id, lanes: EVERY_LANE, after: 0, limit: 100 }
      const types = ['webhook.paused', 'webhook.resumed'] as const
      return (await stage.storage.events.list({ ...selection, types })).events
    },
  }
}
