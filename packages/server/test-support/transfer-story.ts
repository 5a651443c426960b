import { planDemo } from '../src/demo/plan.ts'
import { playDemo } from '../src/demo/play.ts'
import { makeWebhook } from '../src/domain/webhooks/webhooks.ts'
import { mintId, mintUnshardedId, projectNumberOf } from '../src/model/ids.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import type { NewReport } from '../src/model/reports/reports.ts'
import type { AttemptResult } from '../src/model/webhooks.ts'
import type { FileStore } from '../src/storage/files/file-store.ts'
import type { Storage } from '../src/storage/storage.ts'
import { reportWithFiles } from './transfer-attachments.ts'
import { addKeys, addPeople, addProject, DAY, LANES, NOW, reportOf } from './transfer-projects.ts'
import { removeSomeReports, reportTogether, writeComments } from './transfer-reports.ts'

export interface TransferStory {
  readonly weather: ProjectRecord
  readonly maps: ProjectRecord
  /** A report that was submitted with an id. */
  readonly named: NewReport
  /** The first of several reports of an issue. */
  readonly grouped: NewReport
}

/** Fills an empty database with records of every kind; with files if their store is passed. */
export async function tellTransferStory(storage: Storage, files?: FileStore): Promise<TransferStory> {
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
  const target = { projectId: weather.id, webhookId: webhook.id, lanes: LANES }
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
  await storage.issues.submit({ ...reportOf(weather, key.id, 'Buy now'), isSpam: true, sender: 'a' })
  const grouped = await reportTogether(storage, weather, key.id)
  await removeSomeReports(storage, weather, key.id)
  const gone = reportOf(weather, key.id, 'Gone')
  await storage.issues.submit(gone)
  const change = { projectId: weather.id, lanes: LANES, actor: key.id, at: NOW }
  await storage.issues.change({
    ...change,
    issueId: named.issueId,
    ifVersions: null,
    patch: { status: 'resolved', fixedIn: { appVersion: '2.0', buildNumber: null }, note: 'Fixed.\nReally.' },
  })
  await storage.issues.change({
    ...change,
    issueId: grouped.issueId,
    ifVersions: null,
    patch: { title: 'Edited', description: null },
  })
  await storage.labels.create({ projectId: weather.id, name: 'deleted', colour: '#596273', createdAt: NOW })
  await storage.labels.create({
    projectId: weather.id,
    name: 'needs design',
    colour: '#8250df',
    createdAt: NOW,
  })
  await storage.labels.delete(weather.id, 'deleted')
  await storage.issues.change({
    ...change,
    issueId: grouped.issueId,
    ifVersions: null,
    patch: {
      labels: [2],
      assigneeId: mintUnshardedId('usr', NOW),
      known: { title: 'Bekannt: 漢字', text: 'Zeile 1\nZeile 2' },
    },
    labelNames: { 2: 'needs design' },
  })
  await storage.issues.delete({ ...change, issueId: gone.issueId })
  await writeComments(storage, { ...change, issueId: grouped.issueId })

  await storage.deliveries.fanOut(weather.id, webhook.id, NOW)
  const claims = await storage.deliveries.claimDue({ now: NOW, leaseMs: 30_000, perWebhook: 3, limit: 64 })
  for (const { event } of claims.slice(1)) {
    const attempt = { ...target, position: event.position, sentAt: NOW, now: NOW + 12, random: 0.5 }
    await storage.deliveries.recordAttempt({ ...attempt, result: REFUSED })
  }
  await storage.webhooks.rotateSecret({ ...target, secret: 'whsec_b', previousUntil: NOW + DAY, at: NOW })
  await storage.webhooks.change({ ...target, patch: { status: 'paused' }, actor: key.id, at: NOW })

  await storage.projects.saveSdkSettings(weather.id, {
    enabled: true,
    minSdkVersion: '0.2.0',
    features: { shake: true, depth: 1.5, tone: 'calm' },
    featureLimits: {
      depth: { minAppVersion: '2.4', maxAppVersion: '3', platforms: ['ios', 'web'], share: 0.25 },
    },
    crash: { enabled: true, sampleRate: 0.25 },
    refreshAfterSeconds: 3_600,
  })
  await storage.stats.addIntake(weather.id, [
    ['validation-failed', 3],
    ['limited', 2],
  ])
  while (await storage.events.expireSome(weather.id, NOW - 20 * DAY));
  await storage.issues.submit(reportOf(maps, null, 'Only one'))
  if (files !== undefined) await reportWithFiles(storage, await addProject(storage, 'photos'), files)
  return { weather: { ...weather, isPublic: true }, maps, named, grouped }
}

/** The report with a submission id again, with a new issue id that is not used. */
export function sentAgain({ named, weather }: TransferStory): NewReport {
  return { ...named, issueId: mintId('iss', NOW, projectNumberOf(weather.id)) }
}

const REFUSED: AttemptResult = {
  status: 500,
  error: 'unsuccessful-status',
  durationMs: 12,
  response: 'no, «thanks» \u2028',
  retryAfterSeconds: null,
}
