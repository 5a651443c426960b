import { CATEGORIES } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../../test-support/start-app.ts'
import { withDefaults } from '../../../domain/projects/sdk-config.ts'
import { LATEST_SDK_VERSION } from '../../../version.ts'

let api: TestApp
let project: TestProject

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject({ name: 'Weather for iOS', slug: 'weather-ios', defaultBranch: 'trunk' })
})
afterAll(() => api[Symbol.asyncDispose]())

describe('the SDK configuration', () => {
  it('belongs to the project of the key, with defaults for other settings', async () => {
    const { status, body } = await ask(project.publicKey)
    expect(status).toBe(200)
    expect(body).toEqual({
      project: { id: project.id, name: 'Weather for iOS', slug: 'weather-ios', defaultBranch: 'trunk' },
      enabled: true,
      minSdkVersion: null,
      latestSdkVersion: LATEST_SDK_VERSION,
      features: {},
      limitedFeatures: {},
      categories: [...CATEGORIES],
      limits: {
        bodyBytes: 262_144,
        titleChars: 256,
        descriptionChars: 32_768,
        metadataMembers: 50,
        metadataStringChars: 1_024,
      },
      crash: { enabled: true, sampleRate: 1 },
      refreshAfterSeconds: 3_600,
    })
  })

  it('requires a key of the project', async () => {
    const narrow = await api.addKey({ project, scopes: ['issues:read'] })
    expect((await ask(narrow)).body.project.slug).toBe('weather-ios')
    const anonymous = await api.send('GET', '/v1/sdk-config')
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'credentials-required'])
    const instance = await ask(await api.addKey({ scopes: ['projects:read'] }))
    expect([instance.status, instance.body.code]).toEqual([403, 'insufficient-scope'])
    expect(instance.body.detail).toContain('for all projects')
    const wrong = await ask('bgl_pub_nonsense')
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid-credentials'])
  })

  it('is not sent to anonymous readers of a public project either', async () => {
    await api.addProject({ isPublic: true })
    expect((await api.send('GET', '/v1/sdk-config')).status).toBe(401)
  })

  it('may be requested by pages that the key allows', async () => {
    const key = await api.addKey({ project, kind: 'public', origins: ['https://app.example'] })
    const from = (origin: string) => api.send('GET', '/v1/sdk-config', { key, headers: { origin } })
    const allowed = await from('https://app.example')
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    const other = await from('https://other.example')
    expect([other.status, other.body.code]).toEqual([403, 'origin-not-allowed'])
    expect(other.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('may be cached for a while, for the same key', async () => {
    const { headers } = await ask(project.publicKey)
    expect(headers.get('cache-control')).toBe('private, max-age=300')
    expect(headers.get('vary')).toBe('Authorization')
  })

  it('and its tag follow a change within a second', async () => {
    const changing = await api.addProject()
    const { headers } = await ask(changing.publicKey)
    const tag = headers.get('etag') ?? ''
    const unchanged = await ask(changing.publicKey, tag)
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', tag])

    const settings = {
      ...withDefaults(undefined),
      enabled: false,
      features: { theme: 'dark' },
      refreshAfterSeconds: 60,
    }
    await api.app.storage.projects.saveSdkSettings(changing.id, settings)
    await expect.poll(async () => (await ask(changing.publicKey, tag)).status).toBe(200)
    const changed = await ask(changing.publicKey)
    expect(changed.body).toMatchObject({
      enabled: false,
      features: { theme: 'dark' },
      refreshAfterSeconds: 60,
    })
    expect(changed.headers.get('etag')).not.toBe(tag)
    expect(changed.headers.get('cache-control')).toBe('private, max-age=60')
    expect((await ask(project.publicKey)).body.enabled).toBe(true)
  })

  it('is advice: the server accepts reports of a disabled SDK', async () => {
    const off = await api.addProject()
    const settings = { ...withDefaults(undefined), enabled: false, minSdkVersion: '9.0.0' }
    await api.app.storage.projects.saveSdkSettings(off.id, settings)
    const body = { title: 'Blank', sdk: { name: '@bugle/sdk', version: '0.1.0' } }
    expect((await api.send('POST', '/v1/issues', { key: off.publicKey, body })).status).toBe(201)
  })
})

function ask(key: string, tag?: string) {
  return api.send('GET', '/v1/sdk-config', { key, ...(tag && { headers: { 'if-none-match': tag } }) })
}
