import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { spawnBugle } from '../../packages/server/test-support/run-bugle.ts'
import { soon } from '../../packages/server/test-support/soon.ts'
import type { Receiver } from '../../packages/server/test-support/start-receiver.ts'
import { exchange } from './raw-socket.ts'
import { type Keys, settingsFor } from './start-server.ts'

/** A secret that only its recipient may see. */
export interface Secret {
  readonly value: string
  /** Whether its format is recognisable, so that it is redacted wherever it does not belong. */
  readonly hasPrefix?: true
  /** The responses that are meant to show it. */
  readonly shownBy?: readonly string[]
  /** Whether the database has to store it in plain text. */
  readonly isKept?: true
}

/** A response, including its headers. */
export interface Told {
  readonly name: string
  readonly text: string
}

interface Stage {
  readonly url: string
  readonly database: string
  readonly keys: Keys
  readonly metricsToken: string
  readonly receiver: Receiver
}

/** Uses everything once, including wrong uses. Returns every secret and every response. */
export async function tellSecrets(stage: Stage) {
  const secrets: Record<string, Secret> = {
    'the secret key': { value: stage.keys.secretKey, hasPrefix: true },
    'the secret key, mistyped': { value: `${stage.keys.secretKey.slice(0, -1)}!`, hasPrefix: true },
    'a secret key that never was': { value: `bgl_sec_${'x'.repeat(36)}`, hasPrefix: true },
    'the token for metrics': { value: stage.metricsToken },
  }
  const told: Told[] = []
  const byKey = { authorization: `Bearer ${stage.keys.secretKey}` }

  async function ask(name: string, path: string, { body, headers = byKey, method }: Question = {}) {
    const response = await fetch(stage.url + path, {
      method: method ?? (body ? 'POST' : 'GET'),
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    told.push({ name, text: `${JSON.stringify([...response.headers])}\n${text}` })
    return { body: text.startsWith('{') ? JSON.parse(text) : {}, headers: response.headers }
  }

  const scene = { ...stage, ask, secrets }
  await readAndSubmit(scene)
  await sendWebhooks(scene)
  await signIn(scene)
  await typeTitles(scene)
  await strayIntoAddresses(scene)
  const nonsense = `GET / HTTP/1.1\r\nAuthorization: Bearer ${stage.keys.secretKey}\r\nX: \0\r\n\r\n`
  told.push({ name: 'unreadable', text: await exchange(stage.url, nonsense) })
  return { secrets, told }
}

interface Question {
  readonly method?: string
  readonly body?: object
  /** Instead of the secret key. */
  readonly headers?: Readonly<Record<string, string>>
}

interface Scene extends Stage {
  readonly secrets: Record<string, Secret>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing
  ask(name: string, path: string, question?: Question): Promise<{ body: any; headers: Headers }>
}

async function readAndSubmit({ ask, keys, secrets, metricsToken }: Scene): Promise<void> {
  const by = (key: string) => ({ authorization: `Bearer ${key}` })
  const { body } = await ask('submitIssue', '/v1/issues', {
    body: { title: 'x' },
    headers: by(keys.publicKey),
  })
  const path = `/v1/issues/${body.id}`
  await ask('retrieveIssue', path)
  await ask('listIssues', '/v1/issues?q=x')
  await ask('listProjectKeys', '/v1/projects/demo/keys')
  for (const { value } of Object.values(secrets)) await ask('retrieveIssue', path, { headers: by(value) })
  await ask('retrieveIssue', path, { headers: { ...by(keys.secretKey), origin: 'https://app.example' } })
  await ask('readMetrics', '/metrics', { headers: by('wrong') })
  await ask('readMetrics', '/metrics', { headers: by(metricsToken) })
  for (const page of ['/openapi.json', '/docs', '/problems/invalid-credentials', '/healthz'])
    await ask(page, page)
}

/** What people type before they report anything is not kept, whatever becomes of the request. */
async function typeTitles({ ask, keys, secrets }: Scene): Promise<void> {
  const typed = randomBytes(16).toString('hex')
  const { body: issue } = await ask('submitIssue', '/v1/issues', { body: { title: 'z' } })
  const known = { title: 'Blank screen', text: '' }
  await ask('changeIssue', `/v1/issues/${issue.id}`, { method: 'PATCH', body: { known } })
  const search = (body: object, key = keys.publicKey) =>
    ask('searchKnownIssues', '/v1/known-issues/search', {
      body,
      headers: { authorization: `Bearer ${key}` },
    })
  const { body } = await search({ title: `Blank screen ${typed}` })
  expect(body.data).toHaveLength(1)
  for (const wrong of [
    { title: typed.repeat(9) },
    { title: [typed] },
    { title: typed, appVersion: 1 },
    { title: `${typed}\0` },
    { appVersion: typed },
  ])
    await search(wrong)
  await search({ title: typed }, 'wrong')
  await search({ title: typed }, `bgl_pub_${'x'.repeat(36)}`)
  Object.assign(secrets, { 'what people type': { value: typed } } satisfies Record<string, Secret>)
}

/** Callers who may manage webhooks see their URLs. */
const WEBHOOK_ANSWERS = ['createWebhook', 'rotateWebhookSecret', 'getWebhook', 'listWebhooks']

async function sendWebhooks({ ask, receiver, secrets }: Scene): Promise<void> {
  const way = randomBytes(16).toString('hex')
  const { body: made } = await ask('createWebhook', '/v1/webhooks', {
    body: { url: `${receiver.url}/${way}` },
  })
  await ask('submitIssue', '/v1/issues', { body: { title: 'y' } })
  await soon(() => expect(receiver.taken.size).toBeGreaterThan(0))
  const path = `/v1/webhooks/${made.id}`
  const { body: rotated } = await ask('rotateWebhookSecret', `${path}/rotate-secret`, { method: 'POST' })
  await ask('testWebhook', `${path}/test`, { method: 'POST' })
  await ask('getWebhook', path)
  await ask('listWebhooks', '/v1/webhooks')
  await ask('listDeliveries', `${path}/deliveries`)
  await ask('getDelivery', `${path}/deliveries/2`)
  await ask('listEvents', '/v1/events')
  const ofWebhook = { hasPrefix: true, isKept: true } as const
  Object.assign(secrets, {
    'the way to the webhook': { value: way, shownBy: WEBHOOK_ANSWERS, isKept: true },
    'what signs the webhook': { value: made.secret, shownBy: ['createWebhook'], ...ofWebhook },
    'what signs it next': { value: rotated.secret, shownBy: ['rotateWebhookSecret'], ...ofWebhook },
  } satisfies Record<string, Secret>)
}

async function signIn({ ask, database, secrets }: Scene): Promise<void> {
  const [password, nextPassword, wrongPassword] = ['first', 'next', 'wrong'].map(
    (which) => `${which} ${randomBytes(12).toString('hex')}`,
  )
  const args = ['user', 'add', '--email', 'ada@example.com', '--name', 'Ada', '--role', 'admin']
  const { stdout } = await spawnBugle(args, settingsFor(database))
  const token = /#link=([\w-]+)/.exec(stdout)?.[1] ?? ''
  const accepted = await ask('acceptLink', '/session/link/accept', {
    body: { token, password },
    headers: {},
  })
  const cookie = accepted.headers.get('set-cookie')?.split(';')[0] ?? ''
  const bySelf = { cookie, 'bugle-csrf': '1' }
  await ask('getSession', '/session', { headers: bySelf })
  await ask('listSignIns', '/session/sign-ins', { headers: bySelf })
  await ask('acceptLink', '/session/link/accept', { body: { token, password }, headers: {} })
  const email = 'ada@example.com'
  await ask('signIn', '/session', { body: { email, password: wrongPassword }, headers: {} })
  await ask('signIn', '/session', { body: { email: password, password: email }, headers: {} })
  const made = await createInSettings(ask, bySelf)
  await ask('changePassword', '/session/password', {
    body: { currentPassword: password, newPassword: nextPassword },
    headers: bySelf,
  })
  Object.assign(secrets, {
    'a one-time link': { value: token },
    'a password': { value: password ?? '' },
    'the next password': { value: nextPassword ?? '' },
    'a wrong password': { value: wrongPassword ?? '' },
    'the cookie of a sign-in': { value: cookie.split('=')[1] ?? '', shownBy: ['acceptLink'] },
    ...made,
  } satisfies Record<string, Secret>)
}

/** What is shown once in the settings and on the profile page: a token, a key and a link. */
async function createInSettings(
  ask: Scene['ask'],
  headers: Readonly<Record<string, string>>,
): Promise<Record<string, Secret>> {
  const scopes = ['issues:read']
  const tokens = '/session/access-tokens'
  const token = await ask('createAccessToken', tokens, { body: { name: 'Bot', scopes }, headers })
  const used = { authorization: `Bearer ${token.body.token}` }
  await ask('listIssues', '/v1/issues?projectId=demo', { headers: used })
  await ask('listIssues', '/v1/issues', { headers: { ...used, origin: 'https://app.example' } })
  await ask('listAccessTokens', tokens, { headers })
  await ask('revokeAccessToken', `${tokens}/${token.body.id}`, { method: 'DELETE', headers })
  await ask('listIssues', '/v1/issues?projectId=demo', { headers: used })
  const key = await ask('createKey', '/admin/keys', { body: { kind: 'secret', scopes }, headers })
  await ask('listInstanceKeys', '/admin/keys', { headers })
  const invitation = { email: 'bob@example.com', name: 'Bob', role: 'viewer' }
  const invited = await ask('invitePerson', '/admin/people', { body: invitation, headers })
  await ask('listPersonSettings', '/admin/people', { headers })
  await ask('listAuditLog', '/admin/audit-log', { headers })
  return {
    'a personal access token': {
      value: token.body.token,
      hasPrefix: true,
      shownBy: ['createAccessToken'],
    },
    'a key of the settings': { value: key.body.token, hasPrefix: true, shownBy: ['createKey'] },
    'a link of the settings': { value: invited.body.link.split('#link=')[1], shownBy: ['invitePerson'] },
  }
}

/** Places where no secret belongs, but one may end up. */
async function strayIntoAddresses({ ask, secrets }: Scene): Promise<void> {
  for (const { value } of Object.values(secrets).filter(({ hasPrefix }) => hasPrefix)) {
    const encoded = encodeURIComponent(value)
    await ask('in the address', `/v1/issues?key=${encoded}`)
    await ask('in the address', `/v1/projects/${encoded}`)
    await ask('in the address', `/nowhere/${encoded}/else`)
    await ask('in a header', '/v1/issues', { headers: { 'x-api-key': value, 'idempotency-key': value } })
  }
}
