import { describe, expect, it } from 'vitest'
import { keyFields, NOW, projectOf, type StorageStage } from '../../../test-support/storage-stage.ts'
import { makeUser } from '../../domain/people/users.ts'
import { mintKey } from '../../domain/projects/keys.ts'
import { makeWebhook } from '../../domain/webhooks/webhooks.ts'
import type { AuditEntry, AuditListing } from '../../model/audit-log.ts'
import { mintUnshardedId } from '../../model/ids.ts'
import { revisionOfKey } from '../../model/keys.ts'
import { revisionOfUser } from '../../model/people/users.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { revisionOf } from '../../model/revisions.ts'

const EVERYTHING: AuditListing = {
  lanes: ['open', 'security'],
  reach: null,
  actor: null,
  action: null,
  projectId: null,
  since: null,
  until: null,
  before: null,
  limit: 100,
}

/** Who changed what: recorded with each change, and only then. */
export function describeAuditLog(stage: StorageStage): void {
  let now = NOW
  const clock = () => now++
  const acting = () => stage.storage.actingAs('os:ada', clock)
  const list = (overrides: Partial<AuditListing> = {}) =>
    stage.storage.auditLog.list({ ...EVERYTHING, ...overrides })
  const actions = (entries: readonly AuditEntry[]) => entries.map(({ action }) => action)

  const addWebhook = async (project: ProjectRecord, includeSecurity: boolean) => {
    const secret = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ='
    const given = { url: 'https://hooks.example/secret-path', includeSecurity, secret, createdAt: NOW }
    const webhook = await acting().webhooks.create(makeWebhook(project, given))
    if (typeof webhook === 'string') throw new Error(webhook)
    return webhook
  }

  describe('the audit log', () => {
    it('records who changed what, with the values before and after', async () => {
      const project = projectOf('weather')
      await acting().projects.create(project)
      await acting().projects.update(project.id, { name: 'Rain', isPublic: true })
      const [updated, created] = await list()
      expect(updated).toMatchObject({
        actor: 'os:ada',
        actorName: null,
        action: 'project.updated',
        projectId: project.id,
        projectSlug: 'weather',
        subject: project.id,
        subjectName: 'Rain',
        lane: 'open',
      })
      expect(updated?.changes).toEqual([
        { field: 'name', from: project.name, to: 'Rain' },
        { field: 'isPublic', from: false, to: true },
      ])
      expect(created).toMatchObject({ action: 'project.created', subjectName: project.name })
      expect((updated?.at ?? 0) > (created?.at ?? 0)).toBe(true)
    })

    it('records nothing that was refused or changed nothing, and nothing without an actor', async () => {
      const project = await stage.addProject('weather')
      const storage = acting()
      expect(await storage.projects.create(projectOf('weather'))).toBe('slug-taken')
      expect(await storage.projects.update(project.id, { name: project.name })).toBe('updated')
      expect(await storage.keys.revoke(mintUnshardedId('key', NOW), NOW)).toBe('missing')
      expect(await storage.users.delete(mintUnshardedId('usr', NOW))).toBe('missing')
      expect(await storage.labels.delete(project.id, 'none')).toBe('missing')
      expect(await list()).toEqual([])
    })

    it('contains no secret', async () => {
      const project = await stage.addProject('weather')
      const { key, token } = mintKey({ ...keyFields(project), kind: 'secret' })
      await acting().keys.create(key)
      await addWebhook(project, false)
      const text = JSON.stringify(await list())
      for (const secret of [token, 'secret-path', 'whsec_', Buffer.from(key.hash).toString('hex')])
        expect(text).not.toContain(secret)
      expect(text).toContain('https://hooks.example')
    })

    it('bounds its entries, and keeps text that a database would refuse out', async () => {
      const project = projectOf('weather')
      const hostile = `\u202e\0\ud800${'x'.repeat(100_000)}`
      await acting().projects.create({ ...project, description: hostile.replaceAll('\0', '') })
      await acting().auditLog.add({ action: 'data.imported', subjectName: hostile })
      const entries = await list()
      expect(entries).toHaveLength(2)
      for (const entry of entries) expect(JSON.stringify(entry).length).toBeLessThan(2_000)
    })

    it('names people and keys as they were called then', async () => {
      const ada = makeUser({
        ...{ email: 'ada@example.com', name: 'Ada', role: 'admin', canSeeSecurity: false, createdAt: NOW },
        projectIds: null,
      })
      await stage.storage.users.create(ada)
      await stage.storage.actingAs(ada.id, clock).projects.create(projectOf('weather'))
      await stage.storage.users.update(ada.id, { name: 'Countess' })
      expect(await list()).toMatchObject([{ actor: ada.id, actorName: 'Ada' }])
    })

    it('is filtered by actor, action, project, time and reach, and paged', async () => {
      const [one, two] = [projectOf('one'), projectOf('two')]
      for (const project of [one, two]) await acting().projects.create(project)
      await stage.storage.actingAs('system', clock).projects.update(two.id, { name: 'Two' })
      await acting().auditLog.add({ action: 'data.exported' })
      expect(actions(await list({ actor: 'system' }))).toEqual(['project.updated'])
      expect(actions(await list({ action: 'project.created' }))).toHaveLength(2)
      expect(actions(await list({ projectId: two.id }))).toEqual(['project.updated', 'project.created'])
      expect(actions(await list({ reach: [one.id] }))).toEqual(['project.created'])
      expect(await list({ reach: [] })).toEqual([])
      const all = await list()
      const times = all.map(({ at }) => at)
      expect(times).toEqual(times.toSorted((a, b) => b - a))
      expect(actions(await list({ since: times[1] ?? 0 }))).toEqual(['data.exported', 'project.updated'])
      expect(await list({ until: times[1] ?? 0 })).toEqual(all.slice(2))
      expect(await list({ limit: 2, before: all[0]?.id ?? null })).toEqual(all.slice(1, 3))
    })

    it('hides what is about a webhook of the security lane, from the moment it is there with its whole past', async () => {
      const project = await stage.addProject('weather')
      const lanes = ['open', 'security'] as const
      const hidden = await addWebhook(project, true)
      const moved = await addWebhook(project, false)
      const open = () => list({ lanes: ['open'] })
      expect((await open()).map(({ subject }) => subject)).toEqual([moved.id])
      const command = { projectId: project.id, webhookId: moved.id, lanes, actor: null, at: NOW }
      await acting().webhooks.change({ ...command, patch: { includeSecurity: true } })
      await acting().webhooks.delete({ ...command, webhookId: hidden.id })
      expect(await open()).toEqual([])
      await acting().webhooks.change({ ...command, patch: { includeSecurity: false } })
      expect(await open()).toEqual([])
      await acting().webhooks.change({ ...command, patch: { name: 'Again' } })
      expect(actions(await open())).toEqual(['webhook.updated'])
      expect(await list()).toHaveLength(6)
    })

    it('keeps entries of deleted projects, and deletes only old ones on request', async () => {
      const project = projectOf('weather')
      await acting().projects.create(project)
      while (!(await acting().projects.delete(project.id)).isFinished);
      const [deleted, created] = await list()
      expect(deleted).toMatchObject({ action: 'project.deleted', projectSlug: 'weather' })
      expect(await stage.storage.auditLog.expireSome(deleted?.at ?? 0)).toBe(true)
      expect(await stage.storage.auditLog.expireSome(deleted?.at ?? 0)).toBe(false)
      expect(created?.action).toBe('project.created')
      expect(actions(await list())).toEqual(['project.deleted'])
    })
  })

  describe('a change to an outdated state', () => {
    it('is refused for projects, SDK settings, keys, people and labels, and is not recorded', async () => {
      const { storage } = stage
      const project = await stage.addProject('weather')
      const { key } = mintKey({ ...keyFields(project), kind: 'public' })
      await storage.keys.create(key)
      const person = { name: 'Ada', role: 'viewer', canSeeSecurity: false, projectIds: null } as const
      const ada = makeUser({ ...person, email: 'ada@example.com', createdAt: NOW })
      await storage.users.create(ada)
      const label = { name: 'ui', colour: '#000000', createdAt: NOW }
      await storage.labels.create({ ...label, projectId: project.id })
      const settings = {
        ...{ enabled: true, minSdkVersion: null, features: {}, featureLimits: {}, refreshAfterSeconds: 60 },
        crash: { enabled: true, sampleRate: 1 },
      }
      const changeAll = () =>
        Promise.all([
          acting().projects.update(project.id, { name: 'New' }, revisionOf(project)),
          acting().projects.saveSdkSettings(project.id, settings, revisionOf({})),
          acting().keys.update(key.id, { name: 'New' }, revisionOfKey(key)),
          acting().users.update(ada.id, { name: 'New' }, revisionOfUser(ada)),
          acting().labels.update(
            project.id,
            'ui',
            { colour: '#ffffff' },
            revisionOf({ name: 'ui', colour: '#000000' }),
          ),
        ])
      expect(await changeAll()).toEqual([
        'updated',
        'saved',
        expect.objectContaining({ name: 'New' }),
        'updated',
        expect.objectContaining({ colour: '#ffffff' }),
      ])
      expect(await changeAll()).toEqual(['stale', 'stale', 'stale', 'stale', 'stale'])
      expect(await list()).toHaveLength(5)
    })
  })
}
