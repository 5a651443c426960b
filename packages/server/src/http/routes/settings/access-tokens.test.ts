import { MAX_ACCESS_TOKENS, RECENT_SIGN_IN_MS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { startApp, type TestApp, type UserOptions } from '../../../../test-support/start-app.ts'

const DAY = 86_400_000

/** A server with a clock of its own, and a person with their cookie. */
async function setTokenStage(options: UserOptions = {}) {
  let now = Date.now()
  const api = await startApp({ clock: () => now })
  const person = await addPerson(api, options)
  return {
    api,
    person,
    pass(milliseconds: number) {
      now += milliseconds
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}

let people = 0

async function addPerson(api: TestApp, options: UserOptions) {
  const email = `person-${++people}@example.com`
  const key = await api.addUser({ role: 'triager', ...options, email })
  const user = await api.app.storage.users.find(email)
  if (user === undefined) throw new Error('the person was not added')
  const send = (method: string, path: string, body?: object) =>
    api.send(method, path, { key, ...(body && { body }) })
  return { ...user, key, send }
}

const TOKENS = '/session/access-tokens'

describe('a personal access token', () => {
  it('is shown once, and acts for its owner with the scopes it was created with', async () => {
    await using stage = await setTokenStage({ name: 'Ada' })
    const { api, person } = stage
    const project = await api.addProject()
    const scopes = ['issues:triage', 'issues:read']
    const created = await person.send('POST', TOKENS, { name: ' Bot ', scopes, expiresInDays: 30 })
    expect([created.status, created.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { token, ...shown } = created.body
    expect(token).toMatch(/^bgl_pat_\w{36}$/)
    expect(shown).toMatchObject({ name: 'Bot', ending: token.slice(-4), lastUsedAt: null })
    expect(shown.scopes.toSorted()).toEqual(scopes.toSorted())
    const list = await person.send('GET', TOKENS)
    expect(list.body.data).toEqual([shown])

    const report = { key: project.publicKey, body: { title: 'Blank' } }
    const { id } = (await api.send('POST', '/v1/issues', report)).body
    const change = { priority: 'high', assigneeId: person.id }
    const changed = await api.send('PATCH', `/v1/issues/${id}`, { key: token, body: change })
    expect(changed.status).toBe(200)
    const events = await api.send('GET', `/v1/issues/${id}/events`, { key: token })
    expect(events.body.data.at(-1).actor).toMatchObject({ kind: 'user', id: person.id, name: 'Ada' })
    const mine = await api.send('GET', `/v1/issues?projectId=${project.id}&assignee=me`, { key: token })
    expect(mine.body.data.map((issue: { id: string }) => issue.id)).toEqual([id])
    // The role has this scope, but the token does not.
    expect((await api.send('GET', '/v1/projects', { key: token })).body.code).toBe('insufficient-scope')
    expect((await api.send('POST', '/v1/issues', { ...report, key: token })).status).toBe(403)

    const admin = await addPerson(api, { role: 'admin' })
    const seen = [list, await admin.send('GET', '/admin/audit-log')]
    for (const { text } of seen) expect(text).not.toContain(token.slice(8, -4))
    expect(seen[1]?.body.data[0]).toMatchObject({
      action: 'access_token.created',
      actor: { kind: 'user', id: person.id, name: 'Ada' },
      subject: shown.id,
    })
  })

  it('loses what its owner loses, and gets it back, but nothing that it was not created with', async () => {
    await using stage = await setTokenStage({ role: 'admin', canSeeSecurity: true })
    const { api, person } = stage
    const admin = await addPerson(api, { role: 'admin', canSeeSecurity: true })
    const [project, other] = [await api.addProject(), await api.addProject()]
    const report = { title: 'Leak', category: 'security' }
    const { id } = (await api.send('POST', '/v1/issues', { key: project.publicKey, body: report })).body
    const scopes = ['issues:read', 'issues:delete', 'security:read']
    const key = (await person.send('POST', TOKENS, { name: 'Bot', scopes })).body.token
    const status = async (method: string, path: string) => (await api.send(method, path, { key })).status
    const update = async (change: object) => {
      const page = await admin.send('GET', '/admin/people')
      const { revision } = page.body.data.find((one: { id: string }) => one.id === person.id)
      const { status } = await admin.send('PATCH', `/admin/people/${person.id}`, { revision, ...change })
      expect(status).toBe(200)
    }
    expect(await status('GET', `/v1/issues/${id}`)).toBe(200)
    await update({ canSeeSecurity: false })
    expect(await status('GET', `/v1/issues/${id}`)).toBe(404)
    await update({ canSeeSecurity: true, role: 'viewer' })
    expect(await status('GET', `/v1/issues/${id}`)).toBe(200)
    expect(await status('DELETE', `/v1/issues/${id}`)).toBe(403)
    await update({ role: 'admin', projectIds: [other.id] })
    expect(await status('GET', `/v1/issues/${id}`)).toBe(404)
    await update({ projectIds: null })
    expect(await status('GET', `/v1/webhooks?projectId=${project.id}`)).toBe(403)
    expect(await status('GET', '/admin/audit-log')).toBe(403)
    expect(await status('GET', TOKENS)).toBe(403)
    expect(await status('DELETE', `/v1/issues/${id}`)).toBe(204)
    await admin.send('DELETE', `/admin/people/${person.id}`)
    expect(await status('GET', `/v1/issues?projectId=${project.id}`)).toBe(401)
  })

  it('stops working when it expires or is revoked, by its owner or by an admin', async () => {
    await using stage = await setTokenStage()
    const { api, person } = stage
    const project = await api.addProject()
    const make = async (expiresInDays: number | null) => {
      const given = { name: 'Bot', scopes: ['issues:read'], expiresInDays }
      return (await person.send('POST', TOKENS, given)).body
    }
    const [own, other, brief] = [await make(null), await make(60), await make(1)]
    const works = async ({ token }: { token: string }) =>
      (await api.send('GET', `/v1/issues?projectId=${project.id}`, { key: token })).status === 200
    const stranger = await addPerson(api, { role: 'admin', projects: [project] })
    const admin = await addPerson(api, { role: 'admin' })
    for (const one of [own, other, brief]) expect(await works(one)).toBe(true)

    // Another person's token is not found, and neither is a person whom the admin cannot see.
    expect((await stranger.send('DELETE', `${TOKENS}/${own.id}`)).status).toBe(404)
    expect((await stranger.send('GET', `/admin/people/${person.id}/access-tokens`)).status).toBe(404)
    expect((await admin.send('DELETE', `/admin/people/${admin.id}/access-tokens/${own.id}`)).status).toBe(404)
    expect((await person.send('DELETE', `${TOKENS}/${own.id}`)).status).toBe(204)
    expect((await person.send('DELETE', `${TOKENS}/${own.id}`)).status).toBe(404)
    expect(await works(own)).toBe(false)

    const ofPerson = `/admin/people/${person.id}/access-tokens`
    const listed = (await admin.send('GET', ofPerson)).body.data
    expect(listed.map(({ id }: { id: string }) => id).toSorted()).toEqual([other.id, brief.id].toSorted())
    expect((await admin.send('DELETE', `${ofPerson}/${other.id}`)).status).toBe(204)
    expect([await works(other), await works(brief)]).toEqual([false, true])
    const [revoked] = (await admin.send('GET', '/admin/audit-log?action=access_token.revoked')).body.data
    expect(revoked).toMatchObject({ actor: { id: admin.id }, subject: other.id })
    stage.pass(DAY)
    expect(await works(brief)).toBe(false)
  })

  it('is refused without a recent sign-in, without the scope, in a page, and beyond the limit', async () => {
    await using stage = await setTokenStage({ role: 'viewer' })
    const { api, person } = stage
    const project = await api.addProject()
    const given = { name: 'Bot', scopes: ['issues:read'] }
    const create = async (body: object) => (await person.send('POST', TOKENS, body)).body.code
    expect(await create({ ...given, scopes: ['issues:triage'] })).toBe('insufficient-scope')
    expect(await create({ ...given, scopes: ['security:read'] })).toBe('insufficient-scope')
    for (const wrong of [{ scopes: [] }, { name: ' ' }, { expiresInDays: 0 }, { expiresInDays: 1.5 }])
      expect(await create({ ...given, ...wrong })).toBe('validation-failed')
    const { token } = (await person.send('POST', TOKENS, given)).body
    const fromPage = { key: token, headers: { origin: 'https://app.example' } }
    const refused = await api.send('GET', `/v1/issues?projectId=${project.id}`, fromPage)
    expect(refused.body.code).toBe('secret-key-in-browser')
    for (let made = 1; made < MAX_ACCESS_TOKENS; made++) expect(await create(given)).toBeUndefined()
    expect(await create(given)).toBe('limit-reached')
    stage.pass(RECENT_SIGN_IN_MS + 1)
    expect(await create(given)).toBe('recent-sign-in-required')
    expect((await person.send('GET', TOKENS)).body.data).toHaveLength(MAX_ACCESS_TOKENS)
  })

  it('says when it was last used', async () => {
    await using api = await startApp({ intervals: { usageFlush: 50 } })
    const person = await addPerson(api, {})
    const given = { name: 'Bot', scopes: ['projects:read'] }
    const { token } = (await person.send('POST', TOKENS, given)).body
    const lastUsedAt = async () => (await person.send('GET', TOKENS)).body.data[0].lastUsedAt
    expect(await lastUsedAt()).toBeNull()
    expect((await api.send('GET', '/v1/projects', { key: token })).status).toBe(200)
    await expect.poll(lastUsedAt).not.toBeNull()
  })
})

describe("a person's own profile", () => {
  it('is changed without ending a session, and the new address signs in', async () => {
    await using stage = await setTokenStage({ name: 'Ada' })
    const { person } = stage
    const patch = (body: object) => person.send('PATCH', '/session/profile', body)
    const changed = await patch({ name: ' Countess ', email: 'New@Example.com' })
    expect(changed.status).toBe(200)
    expect(changed.body.user).toMatchObject({ id: person.id, name: 'Countess', email: 'new@example.com' })
    expect((await person.send('GET', '/session')).body).toEqual(changed.body)
    expect((await patch({ role: 'admin' })).body.code).toBe('validation-failed')
    expect((await person.send('GET', '/session')).body.user.role).toBe('triager')
    const admin = await addPerson(stage.api, { role: 'admin' })
    const [entry] = (await admin.send('GET', '/admin/audit-log?action=user.updated')).body.data
    expect(entry).toMatchObject({
      actor: { id: person.id },
      changes: [
        { field: 'email', from: person.email, to: 'new@example.com' },
        { field: 'name', from: 'Ada', to: 'Countess' },
      ],
    })
  })

  it('refuses an address that is taken, and a new one without a recent sign-in', async () => {
    await using stage = await setTokenStage()
    const { person } = stage
    const other = await addPerson(stage.api, {})
    const patch = (body: object) => person.send('PATCH', '/session/profile', body)
    expect((await patch({ email: other.email.toUpperCase() })).body.errors).toMatchObject([
      { pointer: '#/email', code: 'taken' },
    ])
    stage.pass(RECENT_SIGN_IN_MS + 1)
    expect((await patch({ email: 'new@example.com' })).body.code).toBe('recent-sign-in-required')
    expect((await patch({ name: 'Ada' })).status).toBe(200)
    expect((await person.send('GET', '/session')).body.user).toMatchObject({
      email: person.email,
      name: 'Ada',
    })
  })
})
