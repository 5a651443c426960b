import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'

/** The same list is asked for again and again, so that it is a kept one when something happens. */
const TIMES = 3

let api: TestApp
let project: TestProject

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

async function list(key: string = project.secretKey) {
  const answers = []
  for (let time = 0; time < TIMES; time++)
    answers.push(await api.send('GET', '/v1/issues?pageSize=100', { key }))
  for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
  return answers[0]?.body
}

async function submit(body: object): Promise<string> {
  const answer = await api.send('POST', '/v1/issues', { key: project.publicKey, body })
  return answer.body.id
}

describe('a list that is asked for again', () => {
  it('shows everything that has happened since', async () => {
    expect(await list()).toMatchObject({ data: [], pagination: { totalCount: 0 } })

    const id = await submit({ title: 'Kept', fingerprint: 'kept' })
    expect(await list()).toMatchObject({ data: [{ id, reportCount: 1 }], pagination: { totalCount: 1 } })

    await submit({ title: 'Kept', fingerprint: 'kept' })
    expect(await list()).toMatchObject({ data: [{ id, reportCount: 2 }], pagination: { totalCount: 1 } })

    for (const change of [
      { status: 'resolved' },
      { title: 'Other' },
      { priority: 'low' },
      { category: 'crash' },
    ]) {
      await api.send('PATCH', `/v1/issues/${id}`, { key: project.secretKey, body: change })
      expect(await list()).toMatchObject({ data: [change] })
    }

    await submit({ title: 'Kept', fingerprint: 'kept' })
    expect(await list()).toMatchObject({ data: [{ id, status: 'open', reportCount: 3 }] })

    await api.send('DELETE', `/v1/issues/${id}`, { key: project.secretKey })
    expect(await list()).toMatchObject({ data: [], pagination: { totalCount: 0 } })
  })

  it('shows everyone only what they may see', async () => {
    const key = await api.addKey({ project, scopes: ['issues:read'] })
    await submit({ title: 'Open' })
    await submit({ title: 'Hidden', category: 'security' })
    for (let turn = 0; turn < 2; turn++) {
      expect((await list()).data).toMatchObject([{ title: 'Hidden' }, { title: 'Open' }])
      expect((await list(key)).data).toMatchObject([{ title: 'Open' }])
    }
  })

  it('is kept only for those who see every lane: its haste would tell others of what is hidden', async () => {
    const key = await api.addKey({ project, scopes: ['issues:read'] })
    await submit({ title: 'Newest' })
    const reads = vi.spyOn(api.app.storage.issues, 'list')
    await list()
    expect(reads).toHaveBeenCalledTimes(TIMES - 1)
    reads.mockClear()
    await list(key)
    expect(reads).toHaveBeenCalledTimes(TIMES)
    reads.mockRestore()
  })
})
