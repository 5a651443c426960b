import { describe, expect } from 'vitest'
import { type Bugle, test } from '../../test-support/bugle-command.ts'
import { startApp } from '../../test-support/start-app.ts'

describe('a running server', () => {
  test('honours a new key at once, and refuses a revoked one', async ({ bugle }) => {
    await using app = await startApp({ databaseUrl: `sqlite:${bugle.database}` })
    await bugle.json('project create --name Weather --slug weather')
    const { id, token } = await bugle.json('key create --project weather --kind public')
    const submit = () => app.send('POST', '/v1/issues', { key: token, body: { title: 'Blank' } })
    expect((await submit()).status).toBe(201)

    await change(bugle, `key revoke ${id}`)
    await expect.poll(async () => (await submit()).status).toBe(401)
  })

  test('shows a project to anyone while it is public', async ({ bugle }) => {
    await using app = await startApp({ databaseUrl: `sqlite:${bugle.database}` })
    await bugle.json('project create --name Weather --slug weather')
    const status = async () => (await app.send('GET', '/v1/issues?projectId=weather')).status
    expect(await status()).toBe(401)

    await change(bugle, 'project update weather --public --yes')
    await expect.poll(status).toBe(200)
    await change(bugle, 'project update weather --private')
    await expect.poll(status).toBe(401)
  })

  test('no longer accepts an old slug', async ({ bugle }) => {
    await using app = await startApp({ databaseUrl: `sqlite:${bugle.database}` })
    await bugle.json('project create --name Weather --slug weather')
    const { token: key } = await bugle.json('key create --project weather --kind public')
    const statusOf = async (slug: string) => (await app.send('GET', `/v1/projects/${slug}`, { key })).status
    expect(await statusOf('weather')).toBe(200)

    await change(bugle, 'project update weather --slug climate')
    await expect.poll(() => statusOf('weather')).toBe(404)
    expect(await statusOf('climate')).toBe(200)
  })

  test('no longer accepts the keys of a deleted project, and its issues are deleted', async ({ bugle }) => {
    await using app = await startApp({ databaseUrl: `sqlite:${bugle.database}` })
    await bugle.json('project create --name Weather --slug weather')
    await bugle.json('project create --name Maps --slug maps')
    const { token } = await bugle.json('key create --project weather --kind public')
    const { token: key } = await bugle.json('key create --all-projects --kind secret --scope issues:read')
    const submit = () => app.send('POST', '/v1/issues', { key: token, body: { title: 'Blank' } })
    const [{ body: record }] = [await submit(), await submit()]

    expect(await change(bugle, 'project delete weather --yes')).toMatchObject({ removedIssues: 2 })
    await expect.poll(async () => (await submit()).status).toBe(401)
    expect((await app.send('GET', `/v1/issues/${record.id}`, { key })).status).toBe(404)
    expect((await app.send('GET', '/v1/issues?projectId=maps', { key })).status).toBe(200)
  })
})

/** From another process, as in production. */
async function change(bugle: Bugle, line: string): Promise<unknown> {
  const { code, stdout, stderr } = await bugle.spawn(`${line} --json`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
