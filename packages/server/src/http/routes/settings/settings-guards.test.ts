import type { Endpoint } from '@bugle/contract'
import { settingsEndpoints } from '@bugle/contract/settings'
import { expect, it } from 'vitest'
import { setAppStage } from '../../../../test-support/app-stage.ts'

const stage = setAppStage()

const SETTINGS = Object.values<Endpoint>(settingsEndpoints)
/** A request to an endpoint, about things that do not exist. */
async function send({ method, path, body }: Endpoint, key?: string) {
  const { examples = [] } = (body ?? {}) as { examples?: readonly object[] }
  return stage.api.send(method, path.replaceAll(/\{\w+\}/g, 'nothing'), {
    ...(key !== undefined && { key }),
    ...(examples[0] !== undefined && { body: examples[0] }),
  })
}

it('no response of the settings can be framed or stored', async () => {
  const admin = await stage.api.addUser({ canSeeSecurity: true })
  const viewer = await stage.api.addUser({ role: 'viewer' })
  for (const endpoint of SETTINGS)
    for (const key of [admin, viewer, undefined]) {
      const { headers } = await send(endpoint, key)
      const what = `${endpoint.name} for ${key === admin ? 'an admin' : (key ?? 'nobody')}`
      expect(headers.get('content-security-policy'), what).toContain("frame-ancestors 'none'")
      expect(headers.get('cache-control'), what).toBe('no-store')
    }
})

it('no page of the dashboard can be framed', async () => {
  const pages = ['/', '/sign-in', '/account', '/projects/demo/issues', '/projects/demo/settings']
  const settings = ['projects', 'projects/demo', 'people', 'keys', 'server', 'audit-log'].map(
    (page) => `/settings/${page}`,
  )
  for (const path of [...pages, '/settings', ...settings]) {
    const { headers } = await fetch(stage.api.url + path)
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
  }
})

it('the settings are absent from the OpenAPI document', async () => {
  const { text } = await stage.api.send('GET', '/openapi.json')
  expect(text).not.toContain('/admin')
})
