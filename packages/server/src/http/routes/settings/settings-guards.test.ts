import { type Endpoint, endpoints, RECENT_SIGN_IN_MS } from '@bugle/contract'
import { settingsEndpoints } from '@bugle/contract/settings'
import { expect, it } from 'vitest'
import { setAppStage } from '../../../../test-support/app-stage.ts'

const stage = setAppStage()

const SETTINGS = Object.values<Endpoint>(settingsEndpoints)
/** "Creating or revoking keys, changing people, deleting projects, rotating secrets." Tokens are keys, too. */
const NEEDING_RECENT_SIGN_IN = [
  'createAccessToken',
  'createKey',
  'createPersonLink',
  'deleteProject',
  'invitePerson',
  'removePerson',
  'revokeKey',
  'revokePersonToken',
  'updatePerson',
]

/** A request to an endpoint, about things that do not exist. */
async function send({ method, path, body }: Endpoint, key?: string) {
  const { examples = [] } = (body ?? {}) as { examples?: readonly object[] }
  return stage.api.send(method, path.replaceAll(/\{\w+\}/g, 'nothing'), {
    ...(key !== undefined && { key }),
    ...(examples[0] !== undefined && { body: examples[0] }),
  })
}

it('exactly the endpoints of the design need a recent sign-in', () => {
  const needing = SETTINGS.filter(({ needsRecentSignIn }) => needsRecentSignIn).map(({ name }) => name)
  expect(needing.toSorted()).toEqual(NEEDING_RECENT_SIGN_IN)
})

it.each(SETTINGS.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s refuses an old sign-in if it needs a recent one',
  async (name, endpoint) => {
    const admin = await stage.api.addUser({ canSeeSecurity: true })
    stage.pass(RECENT_SIGN_IN_MS + 1)
    const { status, body } = await send(endpoint, admin)
    const isRefused = status === 403 && body.code === 'recent-sign-in-required'
    expect(isRefused).toBe(NEEDING_RECENT_SIGN_IN.includes(name))
  },
)

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

it('a person who rotates the secret of a webhook must have signed in recently', async () => {
  const { api, project } = stage
  const admin = await api.addUser()
  const created = await api.send('POST', '/v1/webhooks', {
    key: project.secretKey,
    body: { url: 'https://hooks.example/x' },
  })
  const path = endpoints.rotateWebhookSecret.path.replace('{id}', created.body.id)
  expect((await api.send('POST', path, { key: admin })).status).toBe(200)
  stage.pass(RECENT_SIGN_IN_MS + 1)
  expect((await api.send('POST', path, { key: admin })).body.code).toBe('recent-sign-in-required')
})

it('the settings are absent from the OpenAPI document', async () => {
  const { text } = await stage.api.send('GET', '/openapi.json')
  expect(text).not.toContain('/admin')
})
