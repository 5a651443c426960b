import { type Endpoint, endpoints } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBugle } from '../../test-support/run-bugle.ts'
import { toBytes } from '../../test-support/shown-answer.ts'
import { BLIND_SCOPES, startApp, type TestApp, type TestProject } from '../../test-support/start-app.ts'
import { temporaryDatabase } from '../../test-support/temporary-database.ts'
import { mintId, projectNumberOf } from '../model/ids.ts'

let api: TestApp
let project: TestProject
let closed: TestProject
let blindKey: string
let issueId: string
let hiddenId: string
let closedId: string

/** What only the team can see: of an issue in a list, of a full issue, and of the statistics. */
const PRIVATE_IN_LISTS = {
  reporterCount: null,
  commentCount: null,
  duplicateOf: null,
  duplicateCount: null,
  assigneeId: null,
  labels: null,
  attachmentState: null,
  spamAt: null,
  deviceModel: null,
  onDefaultBranch: null,
  firstSeenIn: null,
  lastSeenIn: null,
}
const PRIVATE_MEMBERS = {
  ...PRIVATE_IN_LISTS,
  metadata: null,
  context: null,
  reporter: null,
  submissionId: null,
  sdk: null,
}
const PRIVATE_FIGURES = {
  byOsVersion: null,
  byDeviceModel: null,
  byBranch: null,
  byAssignee: null,
  attachments: null,
  byLabel: null,
}
const REPORT = {
  title: 'Settings screen stays blank',
  description: 'Until the phone is turned',
  appVersion: '2.4.1',
  buildNumber: '512',
  osVersion: 'iOS 26.1',
  deviceModel: 'Gizmophone 17',
  platform: 'ios',
  branch: 'main',
  fingerprint: 'blank',
  submissionId: 'gizmo-1',
  occurredAt: '2026-11-15T08:00:00.000Z',
  metadata: { owner: 'Gizmo' },
  context: { page: 'https://gizmo.example/' },
  reporter: { id: 'gizmo', email: 'gizmo@example.com' },
  sdk: { name: 'gizmo-sdk', version: '1.0.0' },
}

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject({ isPublic: true })
  closed = await api.addProject()
  blindKey = await api.addKey({ project, scopes: BLIND_SCOPES })
  issueId = await submit(project, REPORT)
  await submit(project, { ...REPORT, submissionId: null })
  await submit(project, { title: 'Another', category: 'crash' })
  hiddenId = await submit(project, { title: 'Wombat', description: 'Wombat', category: 'security' })
  closedId = await submit(closed, REPORT)
})
afterAll(() => api[Symbol.asyncDispose]())

async function submit({ publicKey }: TestProject, body: object): Promise<string> {
  return (await api.send('POST', '/v1/issues', { key: publicKey, body })).body.id
}

const get = (path: string, key?: string, headers = {}) =>
  api.send('GET', path, { headers, ...(key && { key }) })

/** Callers who see only the public part of a project: without a key, or with a key that has no read scope. */
const READERS: readonly [string, () => Promise<string | undefined>][] = [
  ['without a key', async () => undefined],
  ['by its public key', async () => project.publicKey],
  ['by its key without scopes', () => api.addKey({ project, scopes: [] })],
  [
    'by a key for all projects without the scopes',
    () => api.addKey({ scopes: ['security:read', 'issues:create'] }),
  ],
]

describe.each(READERS)('a public project, read %s', (_, makeKey) => {
  let key: string | undefined
  beforeAll(async () => {
    key = await makeKey()
  })

  it('shows an issue without its private fields', async () => {
    const shown = await get(`/v1/issues/${issueId}`, key)
    const { body: whole } = await get(`/v1/issues/${issueId}`, blindKey)
    expect(shown.status).toBe(200)
    expect(shown.body).toEqual({ ...whole, ...PRIVATE_MEMBERS })
    expect(whole).toMatchObject({
      metadata: REPORT.metadata,
      deviceModel: REPORT.deviceModel,
      reportCount: 2,
    })
    expect(shown.text).not.toMatch(/gizmo/i)
  })

  it('has other tags than for the team', async () => {
    const shown = await get(`/v1/issues/${issueId}`, key)
    const etag = shown.headers.get('etag') ?? ''
    const teamTag = (await get(`/v1/issues/${issueId}`, blindKey)).headers.get('etag') ?? ''
    const ask = async (tag: string) =>
      (await get(`/v1/issues/${issueId}`, key, { 'if-none-match': tag })).status
    expect([await ask(etag), await ask(teamTag)]).toEqual([304, 200])
    expect(shown.headers.get('vary')).toBe('Authorization, Cookie')
    expect(shown.headers.get('cache-control')).toMatch(/private/)
  })

  it.each([
    '',
    '&q=screen',
    '&sort=reports',
    '&platform=ios',
    '&category=bug,crash,security',
    '&status=open',
  ])('lists its issues without the private fields and without any security issue: %s', async (query) => {
    const path = `/v1/issues?projectId=${project.slug}${query}`
    const shown = await get(path, key)
    const { body: whole } = await get(path, blindKey)
    expect(shown.status).toBe(200)
    expect(whole.data).not.toHaveLength(0)
    const data = whole.data.map((issue: object) => ({ ...issue, ...PRIVATE_IN_LISTS }))
    expect(shown.body).toEqual({ ...whole, data })
    expect(shown.text).not.toMatch(/gizmo|wombat/i)
  })

  it.each(['q=wombat', 'q=gizmo*', 'category=security'])('finds nothing by %s', async (query) => {
    const { status, body } = await get(`/v1/issues?projectId=${project.id}&${query}`, key)
    expect([status, body.data, body.pagination.totalCount]).toEqual([200, [], 0])
  })

  it('shows the project', async () => {
    const { status, body } = await get(`/v1/projects/${project.slug}`, key)
    expect([status, body]).toEqual([200, (await get(`/v1/projects/${project.slug}`, blindKey)).body])
  })

  it('shows its statistics, without security issues', async () => {
    const path = `/v1/projects/${project.id}/stats`
    const [shown, team, all] = await Promise.all(
      [key, blindKey, project.secretKey].map(async (one) => {
        const { generatedAt: _, ...figures } = (await get(path, one)).body
        return figures
      }),
    )
    expect(team.intake.skipped).toEqual({})
    expect(shown).toEqual({ ...team, ...PRIVATE_FIGURES, intake: { ...team.intake, skipped: null } })
    expect([shown.totals.issues, shown.byCategory.security]).toEqual([2, 0])
    expect([all.totals.issues, all.byCategory.security]).toEqual([3, 1])
  })
})

describe('without a key', () => {
  it('hidden, missing and private resources give the same response, byte for byte', async () => {
    const missing = mintId('iss', Date.now(), projectNumberOf(project.id))
    const elsewhere = mintId('iss', Date.now(), 7)
    const answers: string[] = []
    for (const id of [missing, hiddenId, closedId, elsewhere, 'iss_nonsense', 'nonsense']) {
      answers.push(toBytes(await get(`/v1/issues/${id}`), id))
      answers.push(toBytes(await get(`/v1/issues/${id}`, undefined, { 'if-none-match': '*' }), id))
    }
    expect(answers[0]).toMatch(/^401\n.*www-authenticate: Bearer.*"credentials-required"/s)
    expect(new Set(answers)).toEqual(new Set([answers[0]]))
  })

  it('a private project gives the same response as a missing one, byte for byte', async () => {
    const operations = [
      (name: string) => `/v1/issues?projectId=${name}`,
      (name: string) => `/v1/projects/${name}`,
      (name: string) => `/v1/projects/${name}/stats`,
    ]
    for (const path of operations) {
      const answers = await Promise.all(
        [closed.slug, closed.id, 'nobody', mintId('prj', 0, 7)].map(async (name) =>
          toBytes(await get(path(name)), name),
        ),
      )
      expect(answers[0]).toMatch(/^401\n/)
      expect(new Set(answers)).toEqual(new Set([answers[0]]))
    }
    expect((await get('/v1/issues')).status).toBe(401)
  })

  const keyed = Object.values<Endpoint>(endpoints).filter(
    ({ access }) =>
      access === 'signed-in' || (typeof access === 'object' && access !== null && !access.publicProject),
  )
  it.each(keyed.map(({ method, path }) => [method, path] as const))(
    '%s %s responds with 401 whether the resource exists or not, public or private',
    async (method, path) => {
      const missing = mintId('iss', Date.now(), projectNumberOf(project.id))
      const things = [
        [issueId, project.slug],
        [hiddenId, project.id],
        [closedId, closed.slug],
        [missing, 'nobody'],
      ] as const
      const answers = await Promise.all(
        things.map(async ([id, name]) => {
          const asked = path.replace('{id}', id).replace('{idOrSlug}', name)
          const body = method === 'POST' || method === 'PATCH' ? { body: { title: 'x' } } : {}
          return toBytes(await api.send(method, asked, body), id, name)
        }),
      )
      expect(answers[0]).toMatch(/^401\n/)
      expect(new Set(answers)).toEqual(new Set([answers[0]]))
    },
  )
})

it('a key of another project gets 404 for a public project', async () => {
  const paths = (id: string, name: string) => [
    `/v1/issues/${id}`,
    `/v1/issues?projectId=${name}`,
    `/v1/projects/${name}`,
    `/v1/projects/${name}/stats`,
  ]
  const missing = paths(mintId('iss', Date.now(), 7), 'nobody')
  for (const [index, path] of paths(issueId, project.slug).entries()) {
    const found = await get(path, closed.secretKey)
    const { body } = await get(missing[index] ?? '', closed.secretKey)
    expect(found.status).toBe(404)
    expect({ ...found.body, instance: '', requestId: '' }).toEqual({ ...body, instance: '', requestId: '' })
  }
})

it('a project is visible to anyone once it is public and to no one once it is private', async () => {
  await using database = await temporaryDatabase()
  await using served = await startApp({ databaseUrl: database.url })
  const { slug, publicKey } = await served.addProject()
  const { body } = await served.send('POST', '/v1/issues', { key: publicKey, body: REPORT })
  const paths = [
    `/v1/issues/${body.id}`,
    `/v1/issues?projectId=${slug}`,
    `/v1/issues?projectId=${slug}&q=blank`,
    `/v1/projects/${slug}`,
    `/v1/projects/${slug}/stats`,
  ]
  const ask = () => Promise.all(paths.map(async (path) => (await served.send('GET', path)).status))
  const update = async (visibility: string) => {
    const args = ['project', 'update', slug, visibility, ...(visibility === '--public' ? ['--yes'] : [])]
    expect(await runBugle(args, { BUGLE_DATABASE_URL: database.url })).toMatchObject({ code: 0 })
  }
  expect(await ask()).toEqual([401, 401, 401, 401, 401])
  await update('--public')
  await expect.poll(ask).toEqual([200, 200, 200, 200, 200])
  await update('--private')
  await expect.poll(ask).toEqual([401, 401, 401, 401, 401])
})
