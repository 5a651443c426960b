import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../test-support/start-app.ts'
import { temporaryDatabase } from '../../test-support/temporary-database.ts'
import { hashToken } from '../domain/projects/keys.ts'

let api: TestApp
let project: TestProject
let other: TestProject

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject()
  other = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

const submit = async (body: object = {}, { publicKey } = project) =>
  (await api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'Blank', ...body } })).body
const get = (path: string, key: string) => api.send('GET', path, { key })
const sessionOf = async (cookie: string) => {
  const found = await api.app.storage.signIns.findByHash(hashToken(cookie.split('=')[1] ?? ''))
  if (found === undefined) throw new Error('no one is signed in with this cookie')
  return found
}

describe('a person who is signed in', () => {
  it('is the actor of their changes, with their current name', async () => {
    const ada = await api.addUser({ name: 'Ada', role: 'triager' })
    const { user } = await sessionOf(ada)
    const { id } = await submit()
    await api.send('PATCH', `/v1/issues/${id}`, { key: ada, body: { status: 'resolved', note: 'Mine' } })
    const actors = async () =>
      (await get(`/v1/issues/${id}/events`, ada)).body.data.map(({ actor }: { actor: object }) => actor)
    const [created, changed] = await actors()
    expect(created).toEqual({ kind: 'key', id: expect.stringMatching(/^key_/), name: null })
    expect(changed).toEqual({ kind: 'user', id: user.id, name: 'Ada' })
    expect((await get(`/v1/events?projectId=${project.slug}`, ada)).body.data.at(-1).actor).toEqual(changed)

    await api.app.storage.users.update(user.id, { name: 'Countess' })
    await expect.poll(async () => (await actors())[1].name).toBe('Countess')
    await api.app.storage.users.delete(user.id)
    const key = project.secretKey
    const history = async () => (await get(`/v1/issues/${id}/events`, key)).body.data[1].actor
    await expect.poll(history).toEqual({ kind: 'user', id: user.id, name: null })
  })

  it('is named in events, for webhooks and keys', async () => {
    const ada = await api.addUser({ name: 'Ada', role: 'admin' })
    const { id } = await submit()
    await api.send('DELETE', `/v1/issues/${id}`, { key: ada })
    const { data } = (await get('/v1/events?type=issue.deleted', project.secretKey)).body
    expect(data.at(-1)).toMatchObject({ issueId: id, actor: { kind: 'user', name: 'Ada' } })
  })

  it('sees and pages through the projects they have access to, oldest first', async () => {
    const third = await api.addProject()
    const limited = await api.addUser({ role: 'viewer', projects: [third, project] })
    const slugs = async (key: string, query = '') => {
      const { data, pagination } = (await get(`/v1/projects${query}`, key)).body
      return [data.map(({ slug }: { slug: string }) => slug), pagination.nextCursor]
    }
    expect(await slugs(limited)).toEqual([[project.slug, third.slug], null])
    const [first, cursor] = await slugs(limited, '?pageSize=1')
    expect(first).toEqual([project.slug])
    expect(await slugs(limited, `?pageSize=1&cursor=${cursor}`)).toEqual([[third.slug], null])
    expect(await slugs(await api.addUser({ projects: [] }))).toEqual([[], null])
    expect(await slugs(await api.addUser())).toEqual([[project.slug, other.slug, third.slug], null])
  })

  it('must name the project of a list, except of issues, and finds nothing in other projects', async () => {
    const ada = await api.addUser({ projects: [project] })
    for (const path of ['/v1/issues', '/v1/events', '/v1/webhooks']) {
      const unnamed = await get(path, ada)
      if (path === '/v1/issues') expect(unnamed.status).toBe(200)
      else expect(unnamed.body.errors).toMatchObject([{ parameter: 'projectId', code: 'required' }])
      expect((await get(`${path}?projectId=${project.slug}`, ada)).status).toBe(200)
      const foreign = await get(`${path}?projectId=${other.slug}`, ada)
      const missing = await get(`${path}?projectId=missing`, ada)
      expect([foreign.status, foreign.body.detail]).toEqual([404, missing.body.detail])
    }
  })

  it('cannot submit, because submissions ignore cookies', async () => {
    const ada = await api.addUser()
    const body = { title: 'By cookie' }
    expect((await api.send('POST', '/v1/issues', { key: ada, body })).body.code).toBe('credentials-required')
    const config = await get('/v1/sdk-config', ada)
    expect(config.body.code).toBe('credentials-required')
  })

  it('is ignored if a key is sent too', async () => {
    const ada = await api.addUser({ role: 'admin' })
    const key = await api.addKey({ project, scopes: ['issues:read'] })
    const headers = { cookie: ada }
    expect((await api.send('GET', '/v1/issues', { key, headers })).status).toBe(200)
    const { id } = await submit()
    const remove = { key, headers: { ...headers, 'bugle-csrf': '1' } }
    expect((await api.send('DELETE', `/v1/issues/${id}`, remove)).body.code).toBe('insufficient-scope')
    const wrong = await api.send('GET', '/v1/projects', { key: 'nonsense', headers })
    expect(wrong.body.code).toBe('invalid-credentials')
    expect((await api.send('GET', '/session', { key, headers })).body.code).toBe('insufficient-scope')
  })

  it('cannot be made to change anything by a page of another origin', async () => {
    const ada = await api.addUser({ role: 'admin' })
    const { id } = await submit()
    const path = `/v1/issues/${id}`
    const tries = [
      { headers: { cookie: ada } },
      { headers: { cookie: ada, 'bugle-csrf': 'true' } },
      { headers: { cookie: ada, 'bugle-csrf': '1', 'sec-fetch-site': 'cross-site' } },
      { headers: { cookie: ada, origin: 'https://evil.example' } },
    ]
    for (const options of tries)
      expect((await api.send('DELETE', path, options)).body.code).toBe('csrf-header-required')
    const preflight = await api.send('OPTIONS', path, {
      headers: { origin: 'https://evil.example', 'access-control-request-headers': 'bugle-csrf' },
    })
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await get(path, ada)).status).toBe(200)
    expect((await get(path, ada)).headers.get('vary')).toBe('Authorization, Cookie')
    expect((await api.send('DELETE', path, { key: ada })).status).toBe(204)
  })

  it('has their own rate limits, shared by all their browsers', async () => {
    await using limited = await startApp({ environment: { BUGLE_RATE_LIMITS: 'secret=3,anonymous=2' } })
    const [ada, bob] = [await limited.addUser(), await limited.addUser()]
    const ask = async (key: string) => (await limited.send('GET', '/session', { key })).status
    expect([await ask(ada), await ask(ada), await ask(ada), await ask(ada)]).toEqual([200, 200, 200, 429])
    expect(await ask(bob)).toBe(200)
  })

  it('loses permissions that are revoked', async () => {
    const ada = await api.addUser({ role: 'admin', canSeeSecurity: true })
    // The last person with this right would keep it.
    await api.addUser({ canSeeSecurity: true })
    const { user } = await sessionOf(ada)
    const { id } = await submit({ category: 'security' })
    const status = async () => (await get(`/v1/issues/${id}`, ada)).status
    expect(await status()).toBe(200)
    await api.app.storage.users.update(user.id, { canSeeSecurity: false })
    await expect.poll(status).toBe(404)
    await api.app.storage.users.delete(user.id)
    await expect.poll(status).toBe(401)
  })
})

describe('the live stream of a person', () => {
  async function follow(cookie: string) {
    const response = await fetch(`${api.url}/v1/events?projectId=${project.slug}`, {
      headers: { cookie, accept: 'text/event-stream' },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    return response
  }

  /** Before the next heartbeat, when a stream would check its caller anyway. */
  async function expectEnd(response: Response): Promise<void> {
    expect(await response.text()).toBe('retry: 3000\n\n')
  }

  it.each<[what: string, end: (cookie: string) => Promise<unknown>]>([
    ['they sign out', (key) => api.send('DELETE', '/session', { key })],
    ['they sign out everywhere', (key) => api.send('DELETE', '/session/sign-ins', { key })],
    [
      'another process removes them',
      async (key) => api.app.storage.users.delete((await sessionOf(key)).user.id),
    ],
    [
      'the project is taken away from them',
      async (key) => api.app.storage.users.update((await sessionOf(key)).user.id, { projectIds: [] }),
    ],
  ])('ends at the next check of permissions when %s', async (_, end) => {
    const ada = await api.addUser()
    const stream = await follow(ada)
    await end(ada)
    await expectEnd(stream)
  })

  it('continues when another person signs out', async () => {
    const [ada, bob] = [await api.addUser(), await api.addUser()]
    const stream = await follow(ada)
    await api.send('DELETE', '/session', { key: bob })
    const { id } = await submit()
    let text = ''
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes(id)) break
    }
    expect(text).toContain(id)
  })

  it('ends on every node, like the session itself, when the session is ended on one', async () => {
    await using database = await temporaryDatabase()
    await using here = await startApp({ databaseUrl: database.url })
    await using there = await startApp({ databaseUrl: database.url })
    const { slug } = await here.addProject()
    const ada = await here.addUser()
    const stream = await fetch(`${there.url}/v1/events?projectId=${slug}`, {
      headers: { cookie: ada, accept: 'text/event-stream' },
    })
    expect((await there.send('GET', '/session', { key: ada })).status).toBe(200)
    await here.send('DELETE', '/session', { key: ada })
    await expectEnd(stream)
    expect((await there.send('GET', '/session', { key: ada })).status).toBe(401)
  })

  it('ends when the session expires', async () => {
    let now = Date.now()
    await using aged = await startApp({ clock: () => now })
    const home = await aged.addProject()
    const ada = await aged.addUser()
    const stream = await fetch(`${aged.url}/v1/events?projectId=${home.slug}`, {
      headers: { cookie: ada, accept: 'text/event-stream' },
    })
    now += 30 * 86_400_000
    // A new event wakes the stream, which checks its caller before it sends anything.
    await aged.send('POST', '/v1/issues', { key: home.publicKey, body: { title: 'Blank' } })
    await expectEnd(stream)
  })
})
