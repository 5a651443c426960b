import { ALL_SCOPES } from '@bugle/contract'
import { mintKey } from '../src/domain/projects/keys.ts'
import { makeProject } from '../src/domain/projects/projects.ts'
import type { Actor } from '../src/model/events.ts'
import { mintId, mintUnshardedId, projectNumberOf } from '../src/model/ids.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import type { NewReport } from '../src/model/reports/reports.ts'
import { normaliseSubmission } from '../src/model/reports/reports.ts'
import type { Storage } from '../src/storage/storage.ts'

/** When the story is told. */
export const NOW = Date.UTC(2026, 10, 15)
export const DAY = 86_400_000
export const LANES = ['open', 'security'] as const

export async function addProject(storage: Storage, slug: string): Promise<ProjectRecord> {
  const defaults = { isPublic: false, defaultBranch: 'main', createdAt: NOW - 30 * DAY }
  const project = makeProject({
    slug,
    name: `The ${slug}`,
    description: 'Line\nby line',
    websiteUrl: `https://${slug}.example/`,
    ...defaults,
  })
  await storage.projects.create(project)
  return project
}

/** A report with a value of every kind. */
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

/** A key of an app, which is returned, a revoked one, and one for all projects. */
export async function addKeys(storage: Storage, project: ProjectRecord) {
  const defaults = { projectId: project.id, name: null, scopes: [], origins: [], createdAt: NOW }
  const app = mintKey({ ...defaults, kind: 'public', origins: ['https://weather.example'] })
  const old = mintKey({ ...defaults, kind: 'secret', name: 'old', scopes: ALL_SCOPES })
  const all = mintKey({ ...defaults, projectId: null, kind: 'secret', scopes: ['issues:read'] })
  for (const { key } of [app, old, all]) await storage.keys.create(key)
  await storage.keys.revoke(old.key.id, NOW)
  await storage.keys.recordUses([{ id: app.key.id, at: NOW }])
  return app.key
}

/** An admin with views, and a person who has not accepted their invitation. */
export async function addPeople(storage: Storage, project: ProjectRecord): Promise<void> {
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
    isShared: false,
    createdAt: NOW,
  })
  await storage.views.create({
    id: mintUnshardedId('viw', NOW + 1),
    userId: ada,
    name: 'For all 👥',
    projectId: project.id,
    query: 'assignee=none',
    isShared: true,
    createdAt: NOW + 1,
  })
}
