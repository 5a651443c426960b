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
  const reach = { days: 30, issues: 0, reached: 0 }
  expect(saved.body.features).toEqual([{ name: 'a', value: false, limit, reach }])
  expect(await api.app.storage.projects.findSdkSettings(project.id)).toMatchObject({
    features: { a: false },
    featureLimits: { a: limit },
  })
})

it('limits of features are previewed, set and removed, and SDKs get them', async () => {
  const { api } = stage
  const project = await api.addProject()
  const key = await api.addUser({ name: 'Ada' })
  const path = `/admin/projects/${project.slug}/sdk-config`
  const send = (method: string, body?: object) => api.send(method, path, { key, ...(body && { body }) })
  const config = async () => (await api.send('GET', '/v1/sdk-config', { key: project.publicKey })).body
  const reports = [
    { title: 'New', appVersion: '2.4.1', platform: 'ios' },
    { title: 'Old', appVersion: '1.9', platform: 'ios' },
    { title: 'Elsewhere', appVersion: '2.5', platform: 'web' },
    { title: 'Hidden', appVersion: '2.4.1', platform: 'ios', category: 'security' },
  ]
  for (const body of reports)
    expect((await api.send('POST', '/v1/issues', { key: project.publicKey, body })).status).toBe(201)
  const limit = { minAppVersion: '2.4', maxAppVersion: null, platforms: ['ios', 'android'], share: 0.1 }
  const feature = { name: 'newHome', value: true }
  const { revision } = (await send('GET')).body
  const change = { revision, features: [{ ...feature, limit }] }
  const shown = [{ ...feature, limit, reach: { days: 30, issues: 3, reached: 1 } }]
  expect((await send('PATCH', { ...change, isPreview: true })).body.features).toEqual(shown)
  expect((await config()).limitedFeatures).toEqual({})
  const saved = await send('PATCH', change)
  expect([saved.status, saved.body.features]).toEqual([200, shown])
  expect((await send('GET')).body.features).toEqual(shown)
  const { share, ...rest } = limit
  expect(await config()).toMatchObject({
    features: {},
    limitedFeatures: { newHome: { value: true, ...rest, share } },
  })

  const base = { revision: saved.body.revision }
  for (const wrong of [
    { ...limit, share: 2 },
    { ...limit, minAppVersion: 'soon' },
    { ...limit, maxAppVersion: '1.0' },
    { ...limit, platforms: [] },
    { ...limit, platforms: ['a\0b'] },
    { ...limit, cities: ['Oslo'] },
    { share: 0.5 },
  ]) {
    const answer = await send('PATCH', { ...base, features: [{ ...feature, limit: wrong }] })
    expect([answer.status, answer.body.code], JSON.stringify(wrong)).toEqual([422, 'validation-failed'])
  }
  const open = await send('PATCH', { ...base, features: [{ ...feature, limit: null }] })
  expect(open.body.features).toEqual([{ ...feature, limit: null, reach: null }])
  expect(await config()).toMatchObject({ features: { newHome: true }, limitedFeatures: {} })
  const log = await api.send('GET', `/admin/audit-log?projectId=${project.id}`, { key })
  expect(log.body.data).toMatchObject([{ actor: { name: 'Ada' } }, { actor: { name: 'Ada' } }])
})
