import { MAX_VIEWS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setSessionStage } from '../../../test-support/session-stage.ts'

const stage = setSessionStage()

describe('a saved view', () => {
  const create = (key: string, body: object) => stage.api.send('POST', '/session/views', { key, body })
  const list = async (key: string) => (await stage.api.send('GET', '/session/views', { key })).body.data

  it('is stored unchanged, and visible only to its person', async () => {
    const [ada, bob] = [await stage.api.addUser(), await stage.api.addUser()]
    const wish = { name: 'Crashes <b>💥</b>', projectId: stage.project.slug, query: 'q=%22a%22&status=open' }
    const { status, body } = await create(ada, wish)
    expect([status, body]).toEqual([
      201,
      { ...wish, id: body.id, projectId: stage.project.id, createdAt: new Date(stage.now).toISOString() },
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
  ])('is refused for its %s', async (member, wish) => {
    const ada = await stage.api.addUser()
    const answer = await create(ada, { name: 'x', projectId: stage.project.slug, query: '', ...wish })
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
