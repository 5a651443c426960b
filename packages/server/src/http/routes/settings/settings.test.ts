import { RECENT_SIGN_IN_MS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setAppStage } from '../../../../test-support/app-stage.ts'
import type { Answer, UserOptions } from '../../../../test-support/start-app.ts'

const stage = setAppStage()

/** An admin, and what they do in the settings. */
async function addAdmin(options: UserOptions = {}) {
  const email = options.email ?? `admin-${Math.random().toString(36).slice(2)}@example.com`
  const key = await stage.api.addUser({ canSeeSecurity: true, ...options, email })
  const user = await stage.api.app.storage.users.find(email)
  if (user === undefined) throw new Error('the person was not added')
  const send = (method: string, path: string, body?: object): Promise<Answer> =>
    stage.api.send(method, `/admin${path}`, { key, ...(body && { body }) })
  return { ...user, key, send }
}

type Admin = Awaited<ReturnType<typeof addAdmin>>

async function entriesOf(admin: Admin, query = '') {
  const { status, body } = await admin.send('GET', `/audit-log${query}`)
  expect(status).toBe(200)
  return body.data
}

const invitation = { email: 'grace@example.com', name: 'Grace', role: 'viewer' }

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
    const patch = (by: Admin, body: object) =>
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

describe('people in the settings', () => {
  it('are invited by a link, changed and removed', async () => {
    const admin = await addAdmin()
    const invited = await admin.send('POST', '/people', invitation)
    expect(invited.status).toBe(201)
    const { person, link } = invited.body
    expect(person).toMatchObject({
      ...invitation,
      canSeeSecurity: false,
      projectIds: null,
      hasPassword: false,
    })
    const accept = (address: string) =>
      stage.api.send('POST', '/session/link/accept', {
        body: { token: address.split('#link=')[1], password: 'a sentence only I know' },
      })
    expect((await accept(link)).status).toBe(200)
    const again = await admin.send('POST', `/people/${person.id}/link`)
    expect(again.status).toBe(201)
    const session = await accept(again.body.link)
    const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
    const role = async () => (await stage.api.send('GET', '/session', { key: cookie })).body.user?.role
    expect(await role()).toBe('viewer')
    const patch = { revision: person.revision, role: 'triager' }
    expect((await admin.send('PATCH', `/people/${person.id}`, patch)).body.role).toBe('triager')
    expect(await role()).toBe('triager')
    expect((await admin.send('PATCH', `/people/${person.id}`, patch)).body.code).toBe('revision-conflict')
    expect((await admin.send('DELETE', `/people/${person.id}`)).status).toBe(204)
    expect(await role()).toBeUndefined()
    const entries = (await entriesOf(admin)).filter(
      ({ subject }: { subject: string }) => subject === person.id,
    )
    expect(
      entries.map(({ action, actor }: { action: string; actor: { id: string } }) => [action, actor.id]),
    ).toEqual([
      ['user.removed', admin.id],
      ['user.updated', admin.id],
      ['user.password_set', person.id],
      ['user.link_created', admin.id],
      ['user.password_set', person.id],
      ['user.link_created', admin.id],
      ['user.created', admin.id],
    ])
    expect(JSON.stringify(entries)).not.toContain(link.split('#link=')[1])
  })

  it('refuse an address that is taken, unknown projects and the end of the last admin', async () => {
    const admin = await addAdmin()
    const lastly = async () => {
      for (const { id } of await stage.api.app.storage.users.list(null, 1_000))
        if (id !== admin.id) await stage.api.app.storage.users.delete(id)
    }
    await lastly()
    const { revision } = (await admin.send('GET', '/people')).body.data[0]
    const taken = await admin.send('POST', '/people', { ...invitation, email: admin.email.toUpperCase() })
    expect(taken.body.errors[0].pointer).toBe('#/email')
    for (const projectIds of [[], ['prj_nothing'], ['prj_01m8z3v9q8e1r8000000000000']]) {
      const answer = await admin.send('POST', '/people', { ...invitation, projectIds })
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '#/projectIds'])
    }
    // An admin of some projects cannot do everything that this one can.
    const project = await stage.api.addProject()
    await addAdmin({ projects: [project] })
    for (const answer of [
      await admin.send('PATCH', `/people/${admin.id}`, { revision, role: 'viewer' }),
      await admin.send('PATCH', `/people/${admin.id}`, { revision, projectIds: [project.id] }),
      await admin.send('DELETE', `/people/${admin.id}`),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'last-admin'])
  })

  it('get no right that the admin does not hold, and no link from an admin with fewer rights', async () => {
    const project = await stage.api.addProject()
    const other = await stage.api.addProject()
    const full = await addAdmin()
    const unseeing = await addAdmin({ canSeeSecurity: false })
    const limited = await addAdmin({ projects: [project] })
    const refused = [
      await unseeing.send('POST', '/people', { ...invitation, canSeeSecurity: true }),
      await unseeing.send('POST', `/people/${full.id}/link`),
      await limited.send('POST', '/people', invitation),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [403, 'insufficient-scope']),
    )
    // Foreign projects are unknown, whether they exist or not.
    for (const foreign of [other.id, 'prj_01m8z3v9q8e1r8000000000000']) {
      const answer = await limited.send('POST', '/people', {
        ...invitation,
        projectIds: [project.id, foreign],
      })
      expect([answer.status, answer.body.errors[0].code]).toEqual([422, 'unknown'])
    }
    const { body: listed } = await unseeing.send('GET', '/people?pageSize=100')
    const own = listed.data.find(({ id }: { id: string }) => id === unseeing.id)
    const raise = { revision: own.revision, canSeeSecurity: true }
    expect((await unseeing.send('PATCH', `/people/${unseeing.id}`, raise)).status).toBe(403)
    const mine = (await limited.send('GET', '/people?pageSize=100')).body.data
    expect(mine.map(({ id }: { id: string }) => id)).toEqual([limited.id])
    const widen = { revision: mine[0].revision, projectIds: null }
    expect((await limited.send('PATCH', `/people/${limited.id}`, widen)).status).toBe(403)
    expect((await limited.send('DELETE', `/people/${full.id}`)).status).toBe(404)
    const invited = await limited.send('POST', '/people', { ...invitation, projectIds: [project.id] })
    expect(invited.status).toBe(201)
    // What a person already has need not be granted again.
    const seeing = listed.data.find(({ id }: { id: string }) => id === full.id)
    const rename = { revision: seeing.revision, name: 'New name' }
    expect((await unseeing.send('PATCH', `/people/${full.id}`, rename)).status).toBe(200)
  })
})

describe('before a project is made public', () => {
  it('the preview shows what anyone could then read, whoever asks', async () => {
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

describe('people who see security issues', () => {
  it('keep their address, their right and their account from admins who do not', async () => {
    const [full, unseeing] = [await addAdmin(), await addAdmin({ canSeeSecurity: false })]
    const path = `/people/${full.id}`
    const { body } = await unseeing.send('GET', '/people?pageSize=100')
    const { revision } = body.data.find(({ id }: { id: string }) => id === full.id)
    for (const answer of [
      await unseeing.send('PATCH', path, { revision, email: 'mine@example.com' }),
      await unseeing.send('PATCH', path, { revision, canSeeSecurity: false }),
      await unseeing.send('PATCH', path, { revision, projectIds: [(await stage.api.addProject()).id] }),
      await unseeing.send('DELETE', path),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient-scope'])
    expect((await stage.api.app.storage.users.find(full.id))?.email).toBe(full.email)
    expect(
      (await unseeing.send('PATCH', path, { revision, email: full.email, role: 'triager' })).status,
    ).toBe(200)
  })

  it('get more projects only from an admin who sees security issues', async () => {
    const [project, other] = [await stage.api.addProject(), await stage.api.addProject()]
    const seeing = await addAdmin({ projects: [project] })
    const [full, unseeing] = [await addAdmin(), await addAdmin({ canSeeSecurity: false })]
    const { body } = await unseeing.send('GET', '/people?pageSize=100')
    const { revision } = body.data.find(({ id }: { id: string }) => id === seeing.id)
    const more = { revision, projectIds: [project.id, other.id] }
    expect((await unseeing.send('PATCH', `/people/${seeing.id}`, more)).body.code).toBe('insufficient-scope')
    expect((await full.send('PATCH', `/people/${seeing.id}`, more)).status).toBe(200)
  })

  it('keep one of them', async () => {
    const admin = await addAdmin()
    await addAdmin({ canSeeSecurity: false })
    const { users } = stage.api.app.storage
    for (const { id, canSeeSecurity } of await users.list(null, 1_000))
      if (canSeeSecurity && id !== admin.id) await users.delete(id)
    const { body } = await admin.send('GET', '/people?pageSize=100')
    const { revision } = body.data.find(({ id }: { id: string }) => id === admin.id)
    for (const answer of [
      await admin.send('PATCH', `/people/${admin.id}`, { revision, canSeeSecurity: false }),
      await admin.send('DELETE', `/people/${admin.id}`),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'last-security-holder'])
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
      await admin.send('POST', '/people', invitation),
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
    const actionsFor = async (admin: Admin) =>
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
