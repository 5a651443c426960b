import type { KeyKind } from '@bugle/contract'
import { makeWebhook } from '../domain/webhooks/webhooks.ts'
import type { ProjectRecord } from '../model/projects.ts'
import { mintWebhookSecret } from '../outbound/sign-webhook.ts'
import type { Storage } from '../storage/storage.ts'

/** The names of the keys in a project created by `bugle demo`. */
export const DEMO_KEYS: Readonly<Record<KeyKind, string>> = { public: 'Larder app', secret: 'Larder team' }

/** How many of a thousand reports were refused, by reason. */
const MISHAPS = { 'validation-failed': 14, 'submission-conflict': 3, 'content-too-large': 2, limited: 26 }

interface Usage {
  readonly reports: number
  readonly now: number
}

/** Adds what a project has after weeks of use: used keys, refused submissions, and a webhook. */
export async function addDemoUsage(
  storage: Storage,
  project: ProjectRecord,
  { reports, now }: Usage,
): Promise<void> {
  const keys = await storage.keys.list(project.id)
  await storage.keys.recordUses(keys.map(({ id }) => ({ id, at: now })))
  const mishaps = Object.entries(MISHAPS).map(
    ([outcome, often]) => [outcome, Math.ceil((often * reports) / 1_000)] as const,
  )
  await storage.stats.addIntake(project.id, mishaps)
  await addWebhook(storage, project, now)
}

/** Paused from the beginning: a demo must not send anything anywhere. */
async function addWebhook(storage: Storage, project: ProjectRecord, now: number): Promise<void> {
  const webhook = makeWebhook(project, {
    url: 'https://hooks.example.com/larder',
    name: 'Team channel',
    eventTypes: ['issue.created', 'issue.regressed'],
    format: 'slack',
    secret: mintWebhookSecret(),
    createdAt: now,
  })
  if (typeof (await storage.webhooks.create(webhook)) === 'string') return
  const command = { projectId: project.id, webhookId: webhook.id, lanes: ['open'] as const }
  await storage.webhooks.change({ ...command, patch: { status: 'paused' }, actor: null, at: now })
}
