import { ALL_SCOPES } from '@bugle/contract'
import { planDemo } from '../src/demo/plan.ts'
import { playDemo } from '../src/demo/play.ts'
import { mintKey } from '../src/domain/projects/keys.ts'
import { makeProject } from '../src/domain/projects/projects.ts'
import { makeWebhook } from '../src/domain/webhooks/webhooks.ts'
import type { Actor } from '../src/model/events.ts'
import { mintId, mintUnshardedId, projectNumberOf } from '../src/model/ids.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import { normaliseSubmission } from '../src/model/report-content.ts'
import type { NewReport } from '../src/model/reports.ts'
import type { AttemptResult } from '../src/model/webhooks.ts'
import type { Storage } from '../src/storage/storage.ts'

export const NOW = Date.UTC(2026, 10, 15)
const DAY = 86_400_000
const LANES = ['open', 'security'] as const

const REFUSED: AttemptResult = {
  status: 500,
  error: 'unsuccessful-status',
  durationMs: 12,
  response: 'no, «thanks» \u2028',
  retryAfterSeconds: null,
}

export interface TransferStory {
  readonly weather: ProjectRecord
  readonly maps: ProjectRecord
  /** A report that was submitted with an id. */
  readonly named: NewReport
}

/** Fills an empty database with something of everything that can be stored. */
export async function tellTransferStory(storage: Storage): Promise<TransferStory> {
  const weather = await addProject(storage, 'weather')
  const maps = await addProject(storage, 'maps')
  await storage.projects.update(weather.id, { isPublic: true })
  const key = await addKeys(storage, weather)
  await addPeople(storage, weather)

  const webhook = await storage.webhooks.create(
    makeWebhook(weather, {
      url: 'https://a.example/?q=ü',
      secret: 'whsec_a',
      createdAt: NOW,
      includeSecurity: true,
    }),
  )
  if (typeof webhook === 'string') throw new Error(`the webhook was not created: ${webhook}`)
  const order = { projectId: weather.id, webhookId: webhook.id, lanes: LANES }
  await playDemo({
    storage,
    project: weather,
    steps: planDemo({ count: 40, days: 30, seed: 7, now: NOW }),
  })

  const named = reportOf(weather, key.id, 'Ünïcode “quotes” \\ \u2028 漢字 👩‍🚀', {
    id: 'sub-1',
    contentHash: '07'.repeat(16),
  })
  await storage.issues.submit(named)
  const security = reportOf(weather, null, 'Token in the log')
  await storage.issues.submit({ ...security, content: { ...security.content, category: 'security' } })
  const gone = reportOf(weather, key.id, 'Gone')
  await storage.issues.submit(gone)
  const change = { projectId: weather.id, lanes: LANES, actor: key.id, at: NOW }
  await storage.issues.change({
    ...change,
    issueId: named.issueId,
    ifVersions: null,
    patch: { status: 'resolved', fixedIn: { appVersion: '2.0', buildNumber: null }, note: 'Fixed.\nReally.' },
  })
  await storage.issues.delete({ ...change, issueId: gone.issueId })

  await storage.deliveries.fanOut(weather.id, webhook.id, NOW)
  const claims = await storage.deliveries.claimDue({ now: NOW, leaseMs: 30_000, perWebhook: 3, limit: 64 })
  for (const { event } of claims.slice(1)) {
    const attempt = { ...order, position: event.position, sentAt: NOW, now: NOW + 12, random: 0.5 }
    await storage.deliveries.recordAttempt({ ...attempt, result: REFUSED })
  }
  await storage.webhooks.rotateSecret({ ...order, secret: 'whsec_b', previousUntil: NOW + DAY, at: NOW })
  await storage.webhooks.change({ ...order, patch: { status: 'paused' }, actor: key.id, at: NOW })

  await storage.projects.saveSdkSettings(weather.id, {
    enabled: true,
    minSdkVersion: '0.2.0',
    features: { shake: true, depth: 1.5, tone: 'calm' },
    crash: { enabled: true, sampleRate: 0.25 },
    refreshAfterSeconds: 3_600,
  })
  await storage.stats.addIntake(weather.id, [
    ['validation-failed', 3],
    ['limited', 2],
  ])
  while (await storage.events.expireSome(weather.id, NOW - 20 * DAY));
  await storage.issues.submit(reportOf(maps, null, 'Only one'))
  return { weather: { ...weather, isPublic: true }, maps, named }
}

/** The report that has an id of its own, once more: with a new id for the issue it does not become. */
export function sentAgain({ named, weather }: TransferStory): NewReport {
  return { ...named, issueId: mintId('iss', NOW, projectNumberOf(weather.id)) }
}

export function reportOf(
  project: ProjectRecord,
  actor: Actor,
  title: string,
  submission: NewReport['submission'] = null,
): NewReport {
  return {
    projectId: project.id,
    issueId: mintId('iss', NOW, projectNumberOf(project.id)),
    receivedAt: NOW,
    actor,
    lanes: LANES,
    content: normaliseSubmission({
      title,
      metadata: { 'b"': '\t\u0001', 10: 1e21, a: -0.1, on: true },
      occurredAt: '1969-07-20T20:17:40.000Z',
      sdk: { name: '@bugle/sdk', version: '0.1.0' },
    }),
    submission,
  }
}

export async function addProject(storage: Storage, slug: string): Promise<ProjectRecord> {
  const defaults = { isPublic: false, defaultBranch: 'main', createdAt: NOW - 30 * DAY }
  const project = makeProject({ slug, name: `The ${slug}`, ...defaults })
  await storage.projects.create(project)
  return project
}

async function addKeys(storage: Storage, project: ProjectRecord) {
  const wish = { projectId: project.id, name: null, scopes: [], origins: [], createdAt: NOW }
  const app = mintKey({ ...wish, kind: 'public', origins: ['https://weather.example'] })
  const old = mintKey({ ...wish, kind: 'secret', name: 'old', scopes: ALL_SCOPES })
  const all = mintKey({ ...wish, projectId: null, kind: 'secret', scopes: ['issues:read'] })
  for (const { key } of [app, old, all]) await storage.keys.create(key)
  await storage.keys.revoke(old.key.id, NOW)
  await storage.keys.recordUses([{ id: app.key.id, at: NOW }])
  return app.key
}

async function addPeople(storage: Storage, project: ProjectRecord): Promise<void> {
  const ada = mintUnshardedId('usr', NOW)
  const bob = mintUnshardedId('usr', NOW + 1)
  const passwordHash = `$argon2id$v=19$m=19456,t=2,p=1$${'c2FsdA'.repeat(4)}$${'aGFzaA'.repeat(7)}A`
  const shared = { createdAt: NOW, passwordHash }
  await storage.users.create({
    ...shared,
    id: ada,
    email: 'ada@example.com',
    name: 'Ada',
    role: 'admin',
    canSeeSecurity: true,
    projectIds: null,
  })
  await storage.users.create({
    ...shared,
    id: bob,
    email: 'bob@example.com',
    name: 'Bob 👷',
    role: 'viewer',
    canSeeSecurity: false,
    projectIds: [project.id],
    passwordHash: null,
  })
  await storage.views.create({
    id: mintUnshardedId('viw', NOW),
    userId: ada,
    name: 'Crashes',
    projectId: project.id,
    query: 'category=crash&sort=reports',
    createdAt: NOW,
  })
}
