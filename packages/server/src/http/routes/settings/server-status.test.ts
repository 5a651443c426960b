import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { VERSION } from '../../../version.ts'

const statusFor = async (api: TestApp, key: string) => (await api.send('GET', '/admin/server', { key })).body

it('the state of the server has its release, sizes, checks and refused submissions', async () => {
  using folder = temporaryFolder()
  await using api = await startApp({ databaseUrl: `sqlite:${join(folder.path, 'bugle.db')}` })
  const admin = await api.addUser({ canSeeSecurity: true })
  const project = await api.addProject({ isPublic: true })
  const submit = (body: object) => api.send('POST', '/v1/issues', { key: project.publicKey, body })
  expect((await submit({ title: '' })).status).toBe(422)
  const status = () => statusFor(api, admin)
  await expect
    .poll(async () => (await status()).refused)
    .toEqual([{ projectId: project.id, code: 'validation-failed', count: 1 }])
  const { version, database, attachmentBytes, nodes, findings } = await status()
  expect({ version, attachmentBytes, nodes }).toEqual({ version: VERSION, attachmentBytes: 0, nodes: 1 })
  expect(database).toEqual({ kind: 'sqlite', bytes: expect.any(Number) })
  expect(database.bytes).toBeGreaterThan(0)
  const checks = findings.map(({ check }: { check: string }) => check)
  expect(checks).toEqual(
    expect.arrayContaining(['configuration', 'exposure', 'disk space', 'webhooks', 'keys']),
  )
  expect(JSON.stringify(findings)).toContain(`readable by anyone: ${project.slug}`)
})

it('the state of the server does not reveal the security lane, and is for admins of all projects', async () => {
  await using api = await startApp()
  const project = await api.addProject()
  const [sighted, blind] = [await api.addUser({ canSeeSecurity: true }), await api.addUser()]
  const before = await statusFor(api, blind)
  const hook = { url: 'https://hooks.example/path', name: 'Okapi', includeSecurity: true }
  const created = await api.send('POST', '/v1/webhooks', { key: project.secretKey, body: hook })
  expect(created.status).toBe(201)
  const pause = { key: project.secretKey, body: { status: 'paused' } }
  expect((await api.send('PATCH', `/v1/webhooks/${created.body.id}`, pause)).status).toBe(200)
  const report = { title: 'Leak', category: 'security' }
  await api.send('POST', '/v1/issues', { key: project.publicKey, body: report })
  expect(await statusFor(api, blind)).toEqual(before)
  expect(before).toMatchObject({ database: { bytes: null }, attachmentBytes: null })
  const seen = await api.send('GET', '/admin/server', { key: sighted })
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining('Okapi')])
  const ofOne = await api.addUser({ projects: [project] })
  expect((await api.send('GET', '/admin/server', { key: ofOne })).body.code).toBe('insufficient-scope')
})
