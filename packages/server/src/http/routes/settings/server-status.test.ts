import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runBugle } from '../../../../test-support/run-bugle.ts'
import { startApp, type TestApp } from '../../../../test-support/start-app.ts'
import { temporaryPostgresDatabase } from '../../../../test-support/temporary-database.ts'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { VERSION } from '../../../version.ts'

const statusFor = async (api: TestApp, key: string) => (await api.send('GET', '/admin/server', { key })).body

/** What was refused, without ids that the test does not choose. */
async function refusedFor(api: TestApp, key: string) {
  const { refused } = await statusFor(api, key)
  return refused.map(({ keyName, code, count }: Record<string, unknown>) => [keyName, code, count])
}

it('the state of the server has its release, sizes, checks and refused submissions', async () => {
  using folder = temporaryFolder()
  await using api = await startApp({ databaseUrl: `sqlite:${join(folder.path, 'bugle.db')}` })
  const admin = await api.addUser({ canSeeSecurity: true })
  const project = await api.addProject({ isPublic: true })
  const keys = await api.app.storage.keys.list(project.id)
  const keyId = keys.find(({ kind }) => kind === 'public')?.id ?? 'key_'
  await api.app.storage.keys.update(keyId, { name: 'App' })
  const submit = (body: object) => api.send('POST', '/v1/issues', { key: project.publicKey, body })
  expect((await submit({ title: '' })).status).toBe(422)
  const status = () => statusFor(api, admin)
  await expect
    .poll(async () => (await status()).refused)
    .toEqual([{ projectId: project.id, keyId, keyName: 'App', code: 'validation-failed', count: 1 }])
  const { version, database, attachmentBytes, lastBackup, nodes, findings } = await status()
  expect({ version, attachmentBytes, nodes }).toEqual({ version: VERSION, attachmentBytes: 0, nodes: 1 })
  expect(lastBackup).toBeNull()
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

it('refused submissions are counted by key, and those from before that without one', async () => {
  await using api = await startApp()
  const admin = await api.addUser()
  const { id, secretKey, publicKey } = await api.addProject()
  const { storage } = api.app
  for (const key of await storage.keys.list(id)) await storage.keys.update(key.id, { name: key.kind })
  await storage.stats.addIntake(id, [
    ['validation-failed', 4],
    ['skipped:transaction', 9],
  ])
  const submit = (key: string, body: object) => api.send('POST', '/v1/issues', { key, body })
  for (const key of [publicKey, secretKey, secretKey]) expect((await submit(key, {})).status).toBe(422)
  const submission = { submissionId: 'once', title: 'One' }
  expect((await submit(publicKey, submission)).status).toBe(201)
  expect((await submit(publicKey, { ...submission, title: 'Two' })).status).toBe(409)
  await expect
    .poll(() => refusedFor(api, admin))
    .toEqual([
      [null, 'validation-failed', 4],
      ['secret', 'validation-failed', 2],
      ['public', 'submission-conflict', 1],
      ['public', 'validation-failed', 1],
    ])
})

it('the last backup is in the audit log and in the state of the server', async () => {
  using folder = temporaryFolder()
  const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
  await using api = await startApp({ databaseUrl })
  const admin = await api.addUser()
  const file = join(folder.path, 'copy.db')
  const { code } = await runBugle(['backup', file], { BUGLE_DATABASE_URL: databaseUrl })
  expect(code).toBe(0)
  const { body } = await api.send('GET', '/admin/audit-log?action=data.backed_up', { key: admin })
  expect(body.data).toMatchObject([{ actor: { kind: 'os' }, subjectName: 'copy.db' }])
  const [{ at, actor }] = body.data
  expect((await statusFor(api, admin)).lastBackup).toEqual({ at, by: actor.id.replace('os:', '') })
})

// SQLite has one server.
it.runIf(process.env['BUGLE_TEST_DATABASE'] === 'postgres')(
  'every server on the database is counted',
  async () => {
    await using database = await temporaryPostgresDatabase()
    await using one = await startApp({ databaseUrl: database.url })
    const admin = await one.addUser()
    {
      await using _other = await startApp({ databaseUrl: database.url })
      await expect.poll(async () => (await statusFor(one, admin)).nodes).toBe(2)
    }
    await expect.poll(async () => (await statusFor(one, admin)).nodes).toBe(1)
  },
)
