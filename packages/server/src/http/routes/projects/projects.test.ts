import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../../test-support/start-app.ts'

const DETAILS = {
  description: 'Forecasts & warnings',
  websiteUrl: 'https://weather.example/',
  repositoryUrl: 'https://git.example/weather',
}
const NO_DETAILS = { description: null, websiteUrl: null, repositoryUrl: null }

let api: TestApp
let project: TestProject

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject({ name: 'Weather for iOS', slug: 'weather-ios', ...DETAILS })
})
afterAll(() => api[Symbol.asyncDispose]())

const get = async (path: string, key = project.secretKey) => (await api.send('GET', path, { key })).body

describe('a project', () => {
  it('is found by id and by slug, with the fields of the specification, a description and links', async () => {
    for (const name of [project.id, 'weather-ios']) {
      const { status, body } = await api.send('GET', `/v1/projects/${name}`, { key: project.secretKey })
      expect(status).toBe(200)
      expect(body).toEqual({
        id: project.id,
        name: 'Weather for iOS',
        slug: 'weather-ios',
        isPublic: false,
        defaultBranch: 'main',
        ...DETAILS,
        createdAt: new Date(project.createdAt).toISOString(),
      })
    }
  })

  it('is visible to each of its keys', async () => {
    expect((await api.send('GET', '/v1/projects/weather-ios', { key: project.publicKey })).status).toBe(200)
    const narrow = await api.addKey({ project, scopes: ['issues:create'] })
    expect((await api.send('GET', '/v1/projects/weather-ios', { key: narrow })).status).toBe(200)
    const instance = await api.addKey({ scopes: ['issues:read'] })
    expect((await api.send('GET', '/v1/projects/weather-ios', { key: instance })).status).toBe(200)
  })

  it('looks missing to other callers', async () => {
    const other = await api.addProject()
    const theirs = await api.send('GET', '/v1/projects/weather-ios', { key: other.secretKey })
    const missing = await api.send('GET', '/v1/projects/missing', { key: other.secretKey })
    expect([theirs.status, theirs.body.detail]).toEqual([404, missing.body.detail])
    const anonymous = await api.send('GET', '/v1/projects/weather-ios')
    const nowhere = await api.send('GET', '/v1/projects/missing')
    expect([anonymous.status, anonymous.body.detail]).toEqual([401, nowhere.body.detail])
  })

  it.each(['%00', 'weather%00', 'WEATHER', '%F0%9F%8E%BA', 'prj_%00'])(
    'is never found as %s',
    async (name) => {
      const instance = await api.addKey({ scopes: ['issues:read', 'projects:read'] })
      expect((await api.send('GET', `/v1/projects/${name}`, { key: instance })).status).toBe(404)
      // Query values cannot contain NUL; a path is only looked up.
      const status = name.includes('%00') ? 400 : 404
      expect((await api.send('GET', `/v1/issues?projectId=${name}`, { key: instance })).status).toBe(status)
    },
  )

  it('is visible to anyone if it is public', async () => {
    const open = await api.addProject({ isPublic: true })
    expect((await api.send('GET', `/v1/projects/${open.slug}`)).body.isPublic).toBe(true)
  })

  it('hides its description and links from anonymous readers and public keys', async () => {
    const open = await api.addProject({ isPublic: true, ...DETAILS })
    const path = `/v1/projects/${open.slug}`
    expect((await api.send('GET', path)).body).toMatchObject(NO_DETAILS)
    expect(await get(path, open.publicKey)).toMatchObject(NO_DETAILS)
    expect(await get(path, open.secretKey)).toMatchObject(DETAILS)
    expect((await get('/v1/projects', open.secretKey)).data).toMatchObject([DETAILS])
    const cookie = await api.addUser({ role: 'viewer' })
    expect((await api.send('GET', path, { headers: { cookie } })).body).toMatchObject(DETAILS)
    expect(await get('/v1/sdk-config', open.publicKey)).not.toHaveProperty('project.description')
  })

  it('is not modified until it changes', async () => {
    const changing = await api.addProject()
    const ask = (tag?: string) =>
      api.send('GET', `/v1/projects/${changing.id}`, {
        key: changing.secretKey,
        ...(tag && { headers: { 'if-none-match': tag } }),
      })
    const tag = (await ask()).headers.get('etag') ?? ''
    expect((await ask(tag)).status).toBe(304)
    await api.app.storage.projects.update(changing.id, { name: 'New name' })
    await expect.poll(async () => (await ask(tag)).status).toBe(200)
  })
})

describe('projects', () => {
  it('are listed if the key has access to them', async () => {
    const own = await get('/v1/projects')
    expect(own.data.map(({ id }: { id: string }) => id)).toEqual([project.id])
    const instance = await api.addKey({})
    const seen: string[] = []
    let cursor = ''
    do {
      const { data, pagination } = await get(`/v1/projects?pageSize=2${cursor}`, instance)
      seen.push(...data.map(({ slug }: { slug: string }) => slug))
      cursor = pagination.nextCursor && `&cursor=${pagination.nextCursor}`
    } while (cursor)
    expect(seen).toContain(project.slug)
    expect(new Set(seen).size).toBe(seen.length)
    const narrow = await api.addKey({ scopes: ['issues:read'] })
    expect((await api.send('GET', '/v1/projects', { key: narrow })).status).toBe(403)
  })

  it('are listed to the end even if the project in a cursor is deleted', async () => {
    const made = [await api.addProject(), await api.addProject(), await api.addProject()]
    const person = await api.addUser({ projects: made })
    const instance = await api.addKey({})
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    const all = idsOf(await get('/v1/projects?pageSize=100', instance))
    const [first, ...rest] = idsOf(await get('/v1/projects', person))
    expect([first, ...rest].toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    const doomed = made.find(({ id }) => id === first) as TestProject
    const lists = [
      [person, 1, rest],
      [instance, all.indexOf(doomed.id) + 1, all.slice(all.indexOf(doomed.id) + 1)],
    ] as const
    const cursors = await Promise.all(
      lists.map(async ([key, pageSize]) => {
        const { pagination } = await get(`/v1/projects?pageSize=${pageSize}`, key)
        return pagination.nextCursor
      }),
    )
    while (!(await api.app.storage.projects.delete(doomed.id)).isFinished);
    await expect.poll(async () => idsOf(await get('/v1/projects', person))).toEqual(rest)
    for (const [index, [key, , expected]] of lists.entries())
      expect(idsOf(await get(`/v1/projects?pageSize=100&cursor=${cursors[index]}`, key))).toEqual(expected)
  })

  it('show their public keys, and never a secret one', async () => {
    const { data } = await get(`/v1/projects/${project.slug}/keys`)
    expect(data.map(({ token }: { token: string }) => token)).toEqual([project.publicKey])
    expect(
      (await api.send('GET', `/v1/projects/${project.slug}/keys`, { key: project.publicKey })).status,
    ).toBe(403)
  })
})
