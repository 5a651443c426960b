import { mintKey } from '../../src/domain/projects/keys.ts'
import { projectNumberOf } from '../../src/model/ids.ts'
import { type ProjectRecord, placeOf, type SdkSettings } from '../../src/model/projects.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { plainProject } from '../plain-reports.ts'
import { playConversations } from './play-conversations.ts'
import { playFiles } from './play-files.ts'
import { playBulkChanges, playIssues, playSpam } from './play-issues.ts'
import { playLists } from './play-lists.ts'
import { playPeople } from './play-people.ts'
import { playComments, playTeam } from './play-team.ts'
import { playEvents, playWebhooks } from './play-webhooks.ts'
import { BOTH_LANES, DAY_MS, reportFor } from './story-reports.ts'

/** Runs every operation of a storage on an existing project, at least once. */
export async function playStory(storage: Storage, project: ProjectRecord): Promise<void> {
  const now = Date.now()
  const issue = await playIssues(storage, project, now)
  await playTeam(storage, project, issue, now)
  await playComments(storage, project, issue, now)
  await playConversations(storage, project, () => reportFor(project, {}))
  await playBulkChanges(storage, project, now)
  await playSpam(storage, project, now)
  await playLists(storage, project, issue)
  await playFiles(storage, project, reportFor(project, {}))
  await playEvents(storage, project, now)
  await playWebhooks(storage, project, now)
  await playProjects(storage, project, now)
  await playPeople(storage, project, now)
  await playAuditLog(storage, project, now)
  await playSdkBuilds(storage, now)
  await Promise.all([storage.catalogVersion(), storage.probe(), storage.beat(), storage.readClock()])
  storage.countPendingWrites()
}

const SDK_SETTINGS: SdkSettings = {
  ...{ enabled: true, minSdkVersion: null, features: {}, featureLimits: {}, refreshAfterSeconds: 300 },
  crash: { enabled: true, sampleRate: 1 },
}

async function playProjects(
  { projects, keys, seenValues }: Storage,
  project: ProjectRecord,
  now: number,
): Promise<void> {
  const slug = `story-${now}`
  const made = plainProject(slug, now)
  await projects.create(made)
  await Promise.all([projects.find(project.id), projects.find(project.slug), projects.list(null, 50)])
  await projects.findByNumber(projectNumberOf(project.id))
  await projects.list(placeOf(project), 50)
  await projects.update(made.id, { name: 'Renamed' })
  await projects.findSdkSettings(made.id)
  await projects.saveSdkSettings(made.id, SDK_SETTINGS)
  await projects.countSdkReports(project.id, '2026-01-01')
  await projects.countAppIssues(project.id, now - DAY_MS)
  await seenValues.list(project.id, BOTH_LANES, ['version', 'branch'])
  const { key } = mintKey({
    ...{ projectId: made.id, kind: 'secret', name: 'Story', scopes: [], origins: [] },
    createdAt: now,
  })
  await keys.create(key)
  await Promise.all([keys.findByHash(key.hash), keys.list(made.id), keys.list(null)])
  await keys.recordUses([{ id: key.id, at: now }])
  await Promise.all([keys.find(key.id), projects.listDeleted()])
  await keys.update(key.id, { name: 'Changed' })
  await keys.revoke(key.id, now)
  await projects.delete(made.id)
  await projects.removeDeleted(made.id)
  const after = await projects.find('after')
  for (let step = 0; after !== undefined && step < 2; step++) await projects.delete(after.id)
}

async function playAuditLog(storage: Storage, project: ProjectRecord, now: number): Promise<void> {
  storage.actingAs('system', () => now)
  await storage.auditLog.add({ action: 'data.exported' })
  const everything = {
    ...{ lanes: BOTH_LANES, reach: null, actor: null, action: null, projectId: null },
    ...{ since: null, until: null, before: null, limit: 50 },
  }
  await storage.auditLog.list(everything)
  await storage.auditLog.list({ ...everything, lanes: ['open'], reach: [project.id], projectId: project.id })
  await storage.auditLog.list({
    ...everything,
    actor: 'os:root',
    action: 'key.created',
    since: 0,
    until: now,
  })
  await storage.auditLog.expireSome(0)
}

async function playSdkBuilds({ sdkBuilds }: Storage, now: number): Promise<void> {
  const id = `0.1.0-${now}`
  await sdkBuilds.keep({ id, files: new Map([['bugle.js', Buffer.from('1')]]) }, now)
  await sdkBuilds.list()
  await sdkBuilds.find(id)
}
