import { expect, it } from 'vitest'
import { setAppStage } from '../../../../test-support/app-stage.ts'

const stage = setAppStage()

it('the SDK configuration is previewed and changed in the settings, and SDKs get it', async () => {
  const { api } = stage
  const project = await api.addProject()
  const key = await api.addUser({ name: 'Ada' })
  const path = `/admin/projects/${project.slug}/sdk-config`
  const send = (method: string, body?: object) => api.send(method, path, { key, ...(body && { body }) })
  const { body: before } = await send('GET')
  expect(before).toMatchObject({ enabled: true, minSdkVersion: null, features: [], impact: null })
  const { revision } = before
  const report = { title: 'Old', sdk: { name: 'bugle', version: '0.0.1' } }
  expect((await api.send('POST', '/v1/issues', { key: project.publicKey, body: report })).status).toBe(201)

  const change = {
    revision,
    minSdkVersion: '0.1.0',
    features: [
      { name: 'newHome', value: true },
      { name: 'greeting', value: 'Hello' },
    ],
    crash: { enabled: true, sampleRate: 0.5 },
  }
  const preview = await send('PATCH', { ...change, isPreview: true })
  expect([preview.status, preview.body.impact]).toEqual([200, { days: 30, reports: 1, cutOff: 1 }])
  expect((await send('GET')).body).toEqual(before)
  const saved = await send('PATCH', change)
  expect(saved.body).toMatchObject({ minSdkVersion: '0.1.0', crash: { sampleRate: 0.5 } })
  expect((await send('GET')).body).toEqual({ ...saved.body, impact: null })
  const config = await api.send('GET', '/v1/sdk-config', { key: project.publicKey })
  expect(config.body).toMatchObject({
    minSdkVersion: '0.1.0',
    features: { newHome: true, greeting: 'Hello' },
    crash: { sampleRate: 0.5 },
  })

  expect((await send('PATCH', { revision, enabled: false })).body.code).toBe('revision-conflict')
  const current = { revision: saved.body.revision }
  for (const wrong of [
    { minSdkVersion: 'soon' },
    { refreshAfterSeconds: 1 },
    { features: [{ name: '__proto__', value: 1 }] },
    { crash: { enabled: true, sampleRate: 2 } },
  ])
    expect((await send('PATCH', { ...current, ...wrong })).status, JSON.stringify(wrong)).toBe(422)
  const log = await api.send('GET', '/admin/audit-log?action=sdk_config.updated', { key })
  expect(log.body.data).toMatchObject([{ actor: { name: 'Ada' }, projectId: project.id }])
})

it('limits that the command has set stay, as long as their feature does', async () => {
  const { api } = stage
  const project = await api.addProject()
  const key = await api.addUser()
  const path = `/admin/projects/${project.slug}/sdk-config`
  const limit = { minAppVersion: '2.0', maxAppVersion: null, platforms: null, share: 0.5 }
  await api.app.storage.projects.saveSdkSettings(project.id, {
    ...{ enabled: true, minSdkVersion: null, crash: { enabled: true, sampleRate: 1 } },
    ...{ refreshAfterSeconds: 3_600, features: { a: true, b: true }, featureLimits: { a: limit, b: limit } },
  })
  const { revision } = (await api.send('GET', path, { key })).body
  const body = { revision, features: [{ name: 'a', value: false }] }
  const saved = await api.send('PATCH', path, { key, body })
  expect(saved.body.features).toEqual([{ name: 'a', value: false, isLimited: true }])
  expect(await api.app.storage.projects.findSdkSettings(project.id)).toMatchObject({
    features: { a: false },
    featureLimits: { a: limit },
  })
})
