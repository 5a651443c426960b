import { MAX_VIEWS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setSessionStage } from '../../../../test-support/session-stage.ts'

const stage = setSessionStage()

describe('a saved view', () => {
  const create = (key: string, body: object) => stage.api.send('POST', '/session/views', { key, body })
  const list = async (key: string) => (await stage.api.send('GET', '/session/views', { key })).body.data

  it('is stored unchanged, and visible only to its person', async () => {
    const [ada, bob] = [await stage.api.addUser(), await stage.api.addUser()]
    const fields = {
      name: 'Crashes <b>💥</b>',
      projectId: stage.project.slug,
      query: 'q=%22a%22&status=open',
    }
    const { status, body } = await create(ada, fields)
    expect([status, body]).toEqual([
      201,
      {
        ...fields,
        id: body.id,
        projectId: stage.project.id,
        isShared: false,
        isOwn: true,
        ownerName: body.ownerName,
        createdAt: new Date(stage.now).toISOString(),
      },
    ])
    expect([await list(ada), await list(bob)]).toEqual([[body], []])
    const remove = (key: string) => stage.api.send('DELETE', `/session/views/${body.id}`, { key })
    expect((await remove(bob)).status).toBe(404)
    expect((await remove(ada)).status).toBe(204)
    expect((await remove(ada)).status).toBe(404)
  })

  it('belongs to a project that the person can see', async () => {
    const other = await stage.api.addProject()
    const ada = await stage.api.addUser({ projects: [stage.project] })
    const answers = [other.slug, other.id, 'missing', ''].map((projectId) =>
      create(ada, { name: 'x', projectId, query: '' }),
    )
    const shown = (await Promise.all(answers)).map(({ status, body }) => [status, body.detail])
    expect(shown).toEqual(shown.map(() => [404, 'Not found, or not visible to you.']))
    expect((await create(ada, { name: 'x', projectId: stage.project.slug, query: '' })).status).toBe(201)
  })

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['query', { query: 'a b' }],
    ['query', { query: 'ü' }],
    ['query', { query: 'x'.repeat(1_025) }],
  ])('is refused for its %s', async (member, fields) => {
    const ada = await stage.api.addUser()
    const answer = await create(ada, { name: 'x', projectId: stage.project.slug, query: '', ...fields })
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, `#/${member}`])
  })

  it('is one of at most fifty', async () => {
    const ada = await stage.api.addUser()
    const body = { name: 'x', projectId: stage.project.slug, query: '' }
    for (let index = 0; index < MAX_VIEWS; index++) expect((await create(ada, body)).status).toBe(201)
    expect((await create(ada, body)).body.code).toBe('limit-reached')
    expect(await list(ada)).toHaveLength(MAX_VIEWS)
  })
})

describe('a shared view', () => {
  const send = (key: string, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    stage.api.send(method, `/session/views${path}`, { key, ...(body && { body }) })
  const namesFor = async (key: string, projectId: string) => {
    const { status, body } = await stage.api.send('GET', `/session/views?projectId=${projectId}`, { key })
    return status === 200 ? body.data.map(({ name }: { name: string }) => name).sort() : status
  }
  const share = async (key: string, projectId: string, fields: object = {}) =>
    send(key, 'POST', '', { name: 'Ours', projectId, query: 'status=open', isShared: true, ...fields })

  it('is visible to everyone who can read the project, and to no one else', async () => {
    const [project, other] = [await stage.api.addProject(), await stage.api.addProject()]
    const ada = await stage.api.addUser({ role: 'triager' })
    const viewer = await stage.api.addUser({ role: 'viewer' })
    const stranger = await stage.api.addUser({ projects: [other] })
    const { status, body } = await share(ada, project.slug)
    expect([status, body.isShared, body.isOwn]).toEqual([201, true, true])
    await send(ada, 'POST', '', { name: 'Mine', projectId: project.id, query: '' })
    expect(await namesFor(ada, project.id)).toEqual(['Mine', 'Ours'])
    expect(await namesFor(viewer, project.slug)).toEqual(['Ours'])
    expect(await namesFor(viewer, other.slug)).toEqual([])
    expect(await namesFor(stranger, project.slug)).toBe(404)
    const { data } = (await stage.api.send('GET', `/session/views?projectId=${project.id}`, { key: viewer }))
      .body
    expect(data).toEqual([{ ...body, isOwn: false }])
    // Without a project, the list has only the person's own.
    const own = await stage.api.send('GET', '/session/views', { key: viewer })
    expect(own.body.data).toEqual([])
    expect((await send(stranger, 'DELETE', `/${body.id}`)).status).toBe(404)
    expect((await send(stranger, 'PATCH', `/${body.id}`, { name: 'x' })).status).toBe(404)
  })

  it('is shared only by people who may change issues', async () => {
    const project = await stage.api.addProject()
    const viewer = await stage.api.addUser({ role: 'viewer' })
    expect((await share(viewer, project.id)).body.code).toBe('insufficient-scope')
    const { body: view } = await share(viewer, project.id, { isShared: false })
    expect((await send(viewer, 'PATCH', `/${view.id}`, { isShared: true })).body.code).toBe(
      'insufficient-scope',
    )
    expect((await send(viewer, 'PATCH', `/${view.id}`, { name: 'New' })).body).toEqual({
      ...view,
      name: 'New',
    })
  })

  it('is changed by its person, and can also be deleted by an admin', async () => {
    const project = await stage.api.addProject()
    const [ada, bob] = [
      await stage.api.addUser({ role: 'triager' }),
      await stage.api.addUser({ role: 'triager' }),
    ]
    const admin = await stage.api.addUser({ role: 'admin' })
    const { body: view } = await share(ada, project.id)
    const patched = await send(ada, 'PATCH', `/${view.id}`, { name: 'Renamed', query: 'label=ui' })
    expect([patched.status, patched.body]).toEqual([200, { ...view, name: 'Renamed', query: 'label=ui' }])
    for (const key of [bob, admin]) {
      expect((await send(key, 'PATCH', `/${view.id}`, { name: 'x' })).body.code).toBe('not-author')
    }
    expect((await send(bob, 'DELETE', `/${view.id}`)).body.code).toBe('not-author')
    expect(await namesFor(bob, project.id)).toEqual(['Renamed'])

    expect((await send(ada, 'PATCH', `/${view.id}`, { isShared: false })).status).toBe(200)
    expect(await namesFor(bob, project.id)).toEqual([])
    expect((await send(admin, 'DELETE', `/${view.id}`)).status).toBe(404)
    await send(ada, 'PATCH', `/${view.id}`, { isShared: true })
    expect((await send(admin, 'DELETE', `/${view.id}`)).status).toBe(204)
    expect(await namesFor(ada, project.id)).toEqual([])
  })

  it('of security issues is visible only to people who see these', async () => {
    const project = await stage.api.addProject()
    const ada = await stage.api.addUser({ role: 'triager', canSeeSecurity: true })
    const sighted = await stage.api.addUser({ canSeeSecurity: true })
    const blind = await stage.api.addUser({ role: 'admin' })
    const { body } = await share(ada, project.id, { name: 'Holes', query: 'category=crash%2Csecurity' })
    expect(await namesFor(sighted, project.id)).toEqual(['Holes'])
    expect(await namesFor(blind, project.id)).toEqual([])
    expect((await send(blind, 'DELETE', `/${body.id}`)).status).toBe(404)
    expect((await send(blind, 'PATCH', `/${body.id}`, { name: 'x' })).status).toBe(404)
    await send(ada, 'PATCH', `/${body.id}`, { query: 'category=crash' })
    expect(await namesFor(blind, project.id)).toEqual(['Holes'])
  })
})
