import { RECENT_SIGN_IN_MS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import {
  entriesOf,
  INVITATION,
  type SettingsAdmin,
  setSettingsStage,
} from '../../../../test-support/settings-stage.ts'

const { stage, addAdmin } = setSettingsStage()

describe('projects in the settings', () => {
  it('are created, changed and deleted, each with an entry of the audit log', async () => {
    const admin = await addAdmin({ name: 'Ada' })
    const created = await admin.send('POST', '/projects', {
      name: 'Weather',
      slug: 'weather',
      websiteUrl: 'https://weather.example',
    })
    expect([created.status, created.body]).toMatchObject([
      201,
      { slug: 'weather', isPublic: false, defaultBranch: 'main', websiteUrl: 'https://weather.example/' },
    ])
    const { id, revision } = created.body
    expect((await admin.send('GET', '/projects/weather')).body).toEqual(created.body)
    const changed = await admin.send('PATCH', '/projects/weather', {
      revision,
      name: 'Rain',
      websiteUrl: null,
    })
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { name: 'Rain', websiteUrl: null, slug: 'weather' },
    ])
    expect((await admin.send('DELETE', '/projects/weather')).status).toBe(204)
    expect((await admin.send('GET', `/projects/${id}`)).status).toBe(404)
    const entries = await entriesOf(admin, `?projectId=${id}`)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'project.deleted',
      'project.updated',
      'project.created',
    ])
    for (const { actor } of entries) expect(actor).toEqual({ kind: 'user', id: admin.id, name: 'Ada' })
  })

  it('are removed with their issues', async () => {
    const admin = await addAdmin()
    const project = await stage.api.addProject()
    for (const title of ['One', 'Two'])
      await stage.api.send('POST', '/v1/issues', { key: project.publicKey, body: { title } })
    expect((await admin.send('DELETE', `/projects/${project.slug}`)).status).toBe(204)
    const answer = await stage.api.send('POST', '/v1/issues', {
      key: project.publicKey,
      body: { title: 'Three' },
    })
    expect(answer.status).toBe(401)
    await expect.poll(() => stage.api.app.storage.projects.listDeleted()).toEqual([])
  })

  it('are removed even if another process has hidden them and then stopped', async () => {
    const { id, publicKey } = await stage.api.addProject()
    const report = { key: publicKey, body: { title: 'One' } }
    expect((await stage.api.send('POST', '/v1/issues', report)).status).toBe(201)
    const { projects } = stage.api.app.storage
    expect(await projects.delete(id)).toEqual({ removedIssues: 1, isFinished: false })
    await expect.poll(() => projects.listDeleted()).toEqual([])
  })

  it('are not found by text that is neither an id nor a slug', async () => {
    const admin = await addAdmin()
    for (const path of ['/projects/%00', '/projects/%00/keys', '/projects/a%00b', '/keys/%00', '/people/%00'])
      for (const method of path.endsWith('keys') ? ['GET'] : ['DELETE'])
        expect((await admin.send(method, path)).status, `${method} ${path}`).toBe(404)
  })

  it('refuse a taken slug, a wrong URL and an outdated revision, and change nothing', async () => {
    const [admin, other] = [await addAdmin(), await addAdmin()]
    const [one, two] = [await stage.api.addProject(), await stage.api.addProject()]
    const { body: shown } = await admin.send('GET', `/projects/${one.slug}`)
    const { revision } = shown
    const patch = (by: SettingsAdmin, body: object) =>
      by.send('PATCH', `/projects/${one.slug}`, { revision, ...body })
    for (const [body, pointer] of [
      [{ slug: two.slug }, '#/slug'],
      [{ websiteUrl: 'javascript:alert(1)' }, '#/websiteUrl'],
      [{ repositoryUrl: 'https://me:secret@git.example' }, '#/repositoryUrl'],
      [{ name: '  ' }, '#/name'],
      [{ owner: 'me' }, '#/owner'],
    ] as const) {
      const { status, body: problem } = await patch(admin, body)
      expect([status, problem.errors[0].pointer]).toEqual([422, pointer])
    }
    expect((await admin.send('GET', `/projects/${one.slug}`)).body).toEqual(shown)
    const answers = await Promise.all([patch(admin, { name: 'Mine' }), patch(other, { name: 'No, mine' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('revision-conflict')
  })
})

describe('keys in the settings', () => {
  it('show the token of a secret key once, and nowhere else', async () => {
    const admin = await addAdmin()
    const { slug, id: projectId } = await stage.api.addProject()
    const created = await admin.send('POST', '/keys', {
      projectId: slug,
      kind: 'secret',
      name: 'CI',
      scopes: ['issues:read'],
    })
    expect(created.status).toBe(201)
    expect(created.headers.get('cache-control')).toBe('no-store')
    const { token, id } = created.body
    expect((await stage.api.send('GET', '/v1/issues', { key: token })).status).toBe(200)
    const later = [
      (await admin.send('GET', `/projects/${slug}/keys`)).text,
      (await admin.send('GET', `/audit-log?projectId=${projectId}`)).text,
    ]
    for (const text of later) {
      expect(text).toContain(id)
      expect(text).not.toContain(token.slice(8, -4))
    }
    expect((await admin.send('DELETE', `/keys/${id}`)).status).toBe(204)
    expect((await stage.api.send('GET', '/v1/issues', { key: token })).status).toBe(401)
    expect((await admin.send('DELETE', `/keys/${id}`)).status).toBe(204)
    const revoked = (await entriesOf(admin, '?action=key.revoked')).filter(
      ({ subject }: { subject: string }) => subject === id,
    )
    expect(revoked).toHaveLength(1)
  })

  it('change the origins of a public key at once', async () => {
    const admin = await addAdmin()
    const { slug } = await stage.api.addProject()
    const { body: key } = await admin.send('POST', '/keys', { projectId: slug, kind: 'public' })
    const submitFrom = async (origin: string) =>
      (
        await stage.api.send('POST', '/v1/issues', {
          key: key.token,
          body: { title: 'x' },
          headers: { origin },
        })
      ).status
    expect(await submitFrom('https://elsewhere.example')).toBe(201)
    const body = { revision: key.revision, origins: ['https://app.example'] }
    const { body: changed } = await admin.send('PATCH', `/keys/${key.id}`, body)
    expect(changed).toMatchObject({ origins: ['https://app.example'], token: key.token })
    expect(await submitFrom('https://elsewhere.example')).toBe(403)
    expect(await submitFrom('https://app.example')).toBe(201)
    expect((await admin.send('PATCH', `/keys/${key.id}`, body)).body.code).toBe('revision-conflict')
    const wrong = { revision: changed.revision, origins: ['https://app.example/path'] }
    expect((await admin.send('PATCH', `/keys/${key.id}`, wrong)).body.errors[0].pointer).toBe('#/origins')
  })

  it('cannot have rights that their creator does not have', async () => {
    const project = await stage.api.addProject()
    const [unseeing, limited] = [
      await addAdmin({ canSeeSecurity: false }),
      await addAdmin({ projects: [project] }),
    ]
    const secret = { projectId: project.slug, kind: 'secret', scopes: ['issues:read', 'security:read'] }
    expect((await unseeing.send('POST', '/keys', secret)).status).toBe(403)
    expect((await limited.send('POST', '/keys', secret)).status).toBe(201)
    const instance = { kind: 'secret', scopes: ['issues:read'] }
    expect((await limited.send('POST', '/keys', instance)).status).toBe(403)
    const wrong = [
      { projectId: project.slug, kind: 'public', scopes: ['issues:read'] },
      { projectId: project.slug, kind: 'secret', scopes: [] },
      { projectId: project.slug, kind: 'secret', scopes: ['issues:read'], origins: ['https://a.example'] },
      { kind: 'public' },
    ]
    const admin = await addAdmin()
    for (const body of wrong) expect((await admin.send('POST', '/keys', body)).status).toBe(422)
    const { body: key } = await admin.send('POST', '/keys', { ...secret, name: 'CI' })
    const patch = { revision: key.revision, origins: ['https://a.example'] }
    expect((await admin.send('PATCH', `/keys/${key.id}`, patch)).body.errors[0].pointer).toBe('#/origins')
  })
})

describe('before a project is made public', () => {
  it('the preview shows what anyone could then read, and the same to every admin', async () => {
    const { publicKey: key, slug, secretKey } = await stage.api.addProject()
    const submit = async (title: string, more: object = {}) =>
      (await stage.api.send('POST', '/v1/issues', { key, body: { title, ...more } })).body
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await submit(title)
    await submit('Leak', { category: 'security' })
    const spam = await submit('Buy now')
    await stage.api.send('POST', `/v1/issues/${spam.id}/spam`, { key: secretKey, body: {} })
    for (const canSeeSecurity of [true, false]) {
      const admin = await addAdmin({ canSeeSecurity })
      const { status, body } = await admin.send('GET', `/projects/${slug}/public-preview`)
      expect([status, body.issueCount]).toEqual([200, 6])
      expect(body.issues.map(({ title }: { title: string }) => title)).toEqual([
        ...['Six', 'Five', 'Four', 'Three', 'Two'],
      ])
    }
    await stage.api.app.storage.projects.update(
      (await stage.api.app.storage.projects.find(slug))?.id ?? 'prj_',
      {
        isPublic: true,
      },
    )
    const listed = await stage.api.send('GET', `/v1/issues?projectId=${slug}`)
    expect(listed.body.pagination.totalCount).toBe(6)
  })
})

describe('labels in the settings', () => {
  it('are created, changed and deleted, each with an entry of the audit log', async () => {
    const [admin, other] = [await addAdmin(), await addAdmin()]
    const project = await stage.api.addProject()
    const path = `/projects/${project.slug}/labels`
    const created = await admin.send('POST', path, { name: ' needs design ' })
    expect([created.status, created.body]).toMatchObject([201, { name: 'needs design', colour: '#596273' }])
    const { revision } = created.body
    const taken = await admin.send('POST', path, { name: 'NEEDS design' })
    expect([taken.status, taken.body.errors[0].pointer]).toEqual([422, '#/name'])
    for (const name of ['', ' ', 'two\nlines', 'x'.repeat(51)])
      expect((await admin.send('POST', path, { name })).status).toBe(422)
    const own = `${path}/${encodeURIComponent('needs design')}`
    const answers = await Promise.all([
      admin.send('PATCH', own, { revision, colour: '#8250df' }),
      other.send('PATCH', own, { revision, colour: '#1a7f37' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { body: listed } = await admin.send('GET', path)
    expect(listed.data).toEqual([answers.find(({ status }) => status === 200)?.body])
    expect((await admin.send('DELETE', own)).status).toBe(204)
    expect((await admin.send('DELETE', own)).status).toBe(404)
    const entries = await entriesOf(admin, `?projectId=${project.id}`)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'label.deleted',
      'label.updated',
      'label.created',
    ])
  })
})

describe('the settings', () => {
  it('ask for a new sign-in after 15 minutes where rights change, and only there', async () => {
    const admin = await addAdmin()
    const project = await stage.api.addProject()
    const { body: shown } = await admin.send('GET', `/projects/${project.slug}`)
    stage.pass(RECENT_SIGN_IN_MS + 1)
    const refused = [
      await admin.send('POST', '/keys', { projectId: project.slug, kind: 'public' }),
      await admin.send('DELETE', `/keys/${(await stage.api.app.storage.keys.list(project.id))[0]?.id}`),
      await admin.send('POST', '/people', INVITATION),
      await admin.send('DELETE', `/people/${admin.id}`),
      await admin.send('POST', `/people/${admin.id}/link`),
      await admin.send('DELETE', `/projects/${project.slug}`),
    ]
    for (const { status, body } of refused)
      expect([status, body.code]).toEqual([403, 'recent-sign-in-required'])
    const webhook = await stage.api.send('POST', '/v1/webhooks', {
      key: project.secretKey,
      body: { url: 'https://hooks.example/x' },
    })
    const rotate = (key: string) =>
      stage.api.send('POST', `/v1/webhooks/${webhook.body.id}/rotate-secret`, { key })
    expect((await rotate(admin.key)).body.code).toBe('recent-sign-in-required')
    expect((await rotate(project.secretKey)).status).toBe(200)
    const renamed = await admin.send('PATCH', `/projects/${project.slug}`, {
      revision: shown.revision,
      name: 'New',
    })
    expect(renamed.status).toBe(200)
    expect((await admin.send('GET', '/people')).status).toBe(200)
  })

  it('show an admin of some projects only their entries, and the security lane only with the right', async () => {
    const project = await stage.api.addProject()
    const other = await stage.api.addProject()
    const full = await addAdmin()
    const unseeing = await addAdmin({ canSeeSecurity: false })
    const limited = await addAdmin({ projects: [project] })
    for (const { id } of [project, other]) await full.send('POST', '/keys', { projectId: id, kind: 'public' })
    const url = 'https://hooks.example/x'
    for (const includeSecurity of [true, false])
      await stage.api.send('POST', '/v1/webhooks', {
        key: full.key,
        body: { projectId: project.id, url, includeSecurity },
      })
    const actionsFor = async (admin: SettingsAdmin) =>
      (await entriesOf(admin, `?actor=${full.id}`)).map(({ action }: { action: string }) => action)
    expect(await actionsFor(full)).toEqual([
      'webhook.created',
      'webhook.created',
      'key.created',
      'key.created',
    ])
    expect(await actionsFor(unseeing)).toEqual(['webhook.created', 'key.created', 'key.created'])
    expect(await actionsFor(limited)).toEqual(['webhook.created', 'webhook.created', 'key.created'])
    const first = await full.send('GET', `/audit-log?actor=${full.id}&pageSize=3`)
    const { nextCursor } = first.body.pagination
    const rest = await full.send('GET', `/audit-log?actor=${full.id}&pageSize=3&cursor=${nextCursor}`)
    expect([first.body.data.length, rest.body.data.length]).toEqual([3, 1])
    expect(rest.body.pagination.hasMore).toBe(false)
  })
})
