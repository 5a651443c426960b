import { randomUUID } from 'node:crypto'
import { type Endpoint, endpoints } from '@bugle/contract'
import { sentryEndpoints } from '@bugle/contract/sentry'
import { settingsEndpoints } from '@bugle/contract/settings'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintAccessToken } from '../../src/domain/people/access-tokens.ts'
import { hashToken } from '../../src/domain/projects/keys.ts'
import { isId, mintId, projectNumberOf } from '../../src/model/ids.ts'
import { declare, sha256Of } from '../attachment-stage.ts'
import { startApp, type TestProject } from '../start-app.ts'
import { CALLERS, type Caller, OLD_SIGN_IN, type Stage } from './callers.ts'
import { DECIDING_FIELDS, expectedOf, expectedWithoutProject, type Verdict } from './expected-verdicts.ts'
import { aboutOf, namesProject, TARGETS, type Target } from './targets.ts'

let stage: Stage
let projects: Readonly<Record<Target['home'], TestProject>>

/**
 * Every endpoint of the table, called by every kind of caller for existing and missing resources. The
 * expected result follows from the text of the design (`expected-verdicts.ts`), not from the server's own
 * rule. In the short run, most callers request every other resource, starting with another one at each endpoint. Call it
 * once in a file.
 */
export function describeAccess({ isThorough }: { readonly isThorough: boolean }): void {
  beforeAll(async () => {
    const api = await startApp({
      environment: { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1', BUGLE_TRUST_PROXY: '127.0.0.1' },
    })
    projects = { private: await api.addProject(), public: await api.addProject({ isPublic: true }) }
    stage = { api, otherProject: await api.addProject() }
  })
  afterAll(() => stage.api[Symbol.asyncDispose]())

  describe('who may call', () => {
    const table = Object.values<Endpoint>({ ...endpoints, ...settingsEndpoints, ...sentryEndpoints })
    const targetsOf = (endpoint: Endpoint) =>
      Object.entries(TARGETS).filter(([, { exists }]) =>
        aboutOf(endpoint) === 'thing' ? true : exists.project === exists.thing,
      )

    it.each(table.map((endpoint, index) => [endpoint.name, endpoint, index] as const))(
      '%s',
      async (_, endpoint, first) => {
        const expected: Record<string, Verdict> = {}
        const found: Record<string, Verdict> = {}
        for (const [index, [who, caller]] of Object.entries(CALLERS).entries()) {
          const isAlwaysTested = isThorough || caller.kind === 'nobody' || caller.reach === 'other'
          const isTested = (place: number) => isAlwaysTested || (first + index + place) % 2 === 0
          for (const [what, target] of targetsOf(endpoint).filter((_, place) => isTested(place))) {
            const body = bodyFor(endpoint, target)
            expected[`${who}, ${what}`] = expectedOf(endpoint, caller, target, body)
            found[`${who}, ${what}`] = await verdictOf(endpoint, caller, target, body)
          }
        }
        expect(found).toEqual(expected)
      },
    )

    const deciding = table.flatMap((endpoint) =>
      (DECIDING_FIELDS[endpoint.name] ?? []).map(
        (fields) => [endpoint.name, JSON.stringify(fields), endpoint, fields] as const,
      ),
    )

    it.each(deciding)('%s with an old sign-in and %s', async (_name, _fields, endpoint, fields) => {
      const [caller, target] = [CALLERS[OLD_SIGN_IN], TARGETS['in a private project']]
      if (caller === undefined || target === undefined) throw new Error('not in the table')
      const body = { ...bodyFor(endpoint, target), ...fields }
      const expected = expectedOf(endpoint, caller, target, body) === 'recent-sign-in-required'
      const found = (await verdictOf(endpoint, caller, target, body)) === 'recent-sign-in-required'
      expect(found).toBe(expected)
    })

    it('listIssues without a project', async () => {
      const { api, otherProject } = stage
      const home = projects.private
      for (const { publicKey } of [home, otherProject])
        await api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'x' } })
      const expected: Record<string, unknown> = {}
      const found: Record<string, unknown> = {}
      for (const [who, caller] of Object.entries(CALLERS)) {
        const key = await caller.makeKey(stage, home)
        const answer = await api.send('GET', '/v1/issues?pageSize=100', {
          ...(key !== undefined && { key }),
          headers: { ...(caller.origin && { origin: caller.origin }), ...caller.headers },
        })
        const verdict = expectedWithoutProject(caller)
        expected[who] = verdict === 'ok' ? reachedBy(caller, home) : verdict
        found[who] = answer.status === 200 ? projectsIn(answer.body.data) : answer.body.code
      }
      expect(found).toEqual(expected)
    })
  })
}

/** Of the private and the other project, those that a caller has access to. */
function reachedBy({ reach }: Caller, home: TestProject): readonly string[] {
  const reached = { all: [home, stage.otherProject], other: [stage.otherProject], home: [home] }[
    reach ?? 'home'
  ]
  return reached.map(({ id }) => id).sort()
}

function projectsIn(issues: readonly { readonly projectId: string }[]): readonly string[] {
  const found = new Set(issues.map(({ projectId }) => projectId))
  return [projects.private, stage.otherProject]
    .map(({ id }) => id)
    .filter((id) => found.has(id))
    .sort()
}

async function verdictOf(
  endpoint: Endpoint,
  caller: Caller,
  target: Target,
  body: object | undefined,
): Promise<Verdict> {
  const home = await homeOf(endpoint, target)
  const key = await keyOf(endpoint, caller, home)
  const {
    id,
    position,
    number,
    submissionId = id,
    tokenId = id,
  } = aboutOf(endpoint) === 'own thing'
    ? { ...NOTHING, id: await ownIdOf(endpoint, caller, target, key) }
    : await thingOf(endpoint, home, target)
  const name = target.exists.project ? home.slug : 'nobody'
  if (endpoint.path.includes('/labels')) await replaceLabels(home)
  const path = endpoint.path
    .replace('{id}', id)
    // The first report has the id of its issue, with another prefix.
    .replace('{reportId}', id.replace('iss_', 'rep_'))
    .replace('{commentId}', COMMENT_ID)
    .replace('{idOrSlug}', name)
    .replace('{projectNumber}', target.exists.project ? String(projectNumberOf(home.id)) : '1')
    .replace('{position}', String(position))
    .replace('{issueNumber}', String(number))
    .replace('{submissionId}', submissionId)
    .replace('{tokenId}', tokenId)
    .replace('{name}', 'ui')
    .replace('{sha256}', sha256Of(FILE))
  const query = namesProject(endpoint.query) ? `?projectId=${name}` : ''
  const answer = await stage.api.send(endpoint.method, path + query, {
    ...(key !== undefined && { key }),
    ...(body && { body }),
    ...(endpoint.hasRawBody && { body: rawBodyFor(endpoint) }),
    headers: {
      ...(caller.origin && { origin: caller.origin }),
      ...(endpoint.tag === 'session' && { 'x-forwarded-for': anotherAddress() }),
      ...(endpoint.tag === 'my' && { 'bugle-reporter': REPORTER_SECRET }),
      ...caller.headers,
    },
  })
  if (answer.status < 400) {
    if (endpoint.method !== 'GET') things.delete(`${endpoint.name} ${home.id}`)
    return 'ok'
  }
  if (target.exists.thing && aboutOf(endpoint) === 'thing') await expectUntouched(endpoint, id, home)
  return answer.body.code
}

/** An event is an envelope without items as well. */
function rawBodyFor({ keyIn }: Endpoint): Uint8Array | string {
  return keyIn === 'sentry' ? JSON.stringify({ message: 'From a test' }) : FILE
}

/** The project has the label `ui`, and not the one of the example. */
async function replaceLabels({ id: projectId }: TestProject): Promise<void> {
  const { labels } = stage.api.app.storage
  await labels.create({ projectId, name: 'ui', colour: '#000000', createdAt: 0 })
  await labels.delete(projectId, 'needs design')
}

/** A project that may be deleted is a new one each time. */
async function homeOf({ name }: Endpoint, { home, exists }: Target): Promise<TestProject> {
  if (name !== settingsEndpoints.deleteProject.name || !exists.project) return projects[home]
  return stage.api.addProject({ isPublic: home === 'public' })
}

let addresses = 0

/** Sign-in attempts are limited by address and account, so each one comes from another address. */
function anotherAddress(): string {
  addresses++
  return `10.0.${addresses >> 8}.${addresses & 255}`
}

const keys = new Map<string, Promise<string | undefined>>()

/** Keys and people are created once for each project, unless the call may revoke them. */
function keyOf({ tag }: Endpoint, caller: Caller, home: TestProject): Promise<string | undefined> {
  if (tag === 'session') return caller.makeKey(stage, home)
  const place = `${Object.values(CALLERS).indexOf(caller)} ${home.id}`
  const key = keys.get(place) ?? caller.makeKey(stage, home)
  keys.set(place, key)
  return key
}

/** The id of a resource of the caller, or of one that never existed. */
async function ownIdOf(
  { name }: Endpoint,
  { kind }: Caller,
  { exists }: Target,
  key: string | undefined,
): Promise<string> {
  const isView = name === endpoints.deleteView.name || name === endpoints.changeView.name
  const isToken = name === settingsEndpoints.revokeAccessToken.name
  if (kind !== 'person' || key === undefined || !exists.thing)
    return mintId(isView ? 'viw' : isToken ? 'pat' : 'sgn', Date.now(), 7)
  if (isToken) {
    const { user } = (await stage.api.send('GET', '/session', { key })).body
    const given = {
      userId: user.id,
      name: 'Script',
      scopes: ['issues:read'],
      createdAt: 0,
      expiresAt: null,
    } as const
    const { record } = mintAccessToken(given)
    await stage.api.app.storage.accessTokens.create(record)
    return record.id
  }
  if (!isView) return (await stage.api.send('GET', '/session/sign-ins', { key })).body.data[0].id
  const body = {
    name: 'Mine',
    projectId: (await stage.api.send('GET', '/v1/projects', { key })).body.data[0].id,
    query: '',
  }
  return (await stage.api.send('POST', '/session/views', { key, body })).body.id
}

const things = new Map<string, Thing>()

interface Thing {
  readonly id: string
  /** The position of the last delivery, if it is a webhook. */
  readonly position: number
  /** The number, if it is an issue. */
  readonly number: number
  /** If it is a file: the report that declared it. */
  readonly submissionId?: string
  /** If it is a person: their personal access token. */
  readonly tokenId?: string
}

const NOTHING: Thing = { id: '', position: 0, number: 0 }

/** The target of a call: a new resource, or one that never existed. */
async function thingOf(endpoint: Endpoint, home: TestProject, { exists }: Target): Promise<Thing> {
  if (aboutOf(endpoint) !== 'thing') return NOTHING
  const made = MADE_BY_TAG[endpoint.tag]
  if (made === undefined) throw new Error(`say what ${endpoint.path} is about`)
  const projectNumber = exists.project ? projectNumberOf(home.id) : 7
  if (!exists.thing)
    return { id: mintId(made.prefix, Date.now(), projectNumber), position: 1, number: 1_000_000 }
  const place = `${endpoint.name} ${home.id}`
  const known = things.get(place)
  if (known !== undefined) return known
  const { storage } = stage.api.app
  const { id, submissionId, tokenId } = await made.make(home, endpoint)
  const { end: position } = await storage.events.window(home.id, ['open', 'security'])
  const issue = isId('iss', id) ? await storage.issues.find(home.id, id) : undefined
  const thing = {
    id,
    position,
    number: issue?.issueNumber ?? 0,
    ...(submissionId && { submissionId }),
    ...(tokenId && { tokenId }),
  }
  things.set(place, thing)
  return thing
}

const MADE_BY_TAG: Partial<Record<Endpoint['tag'], Made>> = {
  issues: { prefix: 'iss', make: makeIssueFor },
  my: {
    prefix: 'iss',
    make: async (home) => ({ id: await makeIssue(home, { reporterKeyHash: sha256Of(REPORTER_SECRET) }) }),
  },
  attachments: { prefix: 'att', make: makeAttachment },
  settings: { prefix: 'usr', make: makeSetting },
  webhooks: { prefix: 'whk', make: async (home) => ({ id: await makeWebhook(home) }) },
}

interface Made {
  readonly prefix: 'iss' | 'att' | 'whk' | 'usr'
  make(home: TestProject, endpoint: Endpoint): Promise<Pick<Thing, 'id' | 'submissionId' | 'tokenId'>>
}

/** A key of the project, or a person who has access to nothing else. */
async function makeSetting(home: TestProject, { path }: Endpoint): Promise<Pick<Thing, 'id' | 'tokenId'>> {
  const { storage } = stage.api.app
  if (path.includes('{tokenId}')) {
    const { user, record } = await stage.api.addToken({ role: 'viewer', projects: [home] })
    return { id: user.id, tokenId: record.id }
  }
  if (path.startsWith('/admin/people')) {
    const email = `${anotherAddress()}@example.org`
    await stage.api.addUser({ email, role: 'viewer', canSeeSecurity: false, projects: [home] })
    return { id: (await storage.users.find(email))?.id ?? '' }
  }
  const token = await stage.api.addKey({ project: home })
  return { id: (await storage.keys.findByHash(hashToken(token)))?.id ?? '' }
}

const FILE = 'the bytes of a file'

/** A file that was declared, and also received unless it is to be uploaded. */
async function makeAttachment(
  { publicKey, secretKey }: TestProject,
  { hasRawBody }: Endpoint,
): Promise<Pick<Thing, 'id' | 'submissionId'>> {
  const submissionId = randomUUID()
  const body = { title: 'x', submissionId, attachments: [declare(FILE)] }
  const issue = (await stage.api.send('POST', '/v1/issues', { key: publicKey, body })).body
  const list = await stage.api.send('GET', `/v1/issues/${issue.id}/attachments`, { key: secretKey })
  if (!hasRawBody) {
    const path = `/v1/submissions/${submissionId}/attachments/${sha256Of(FILE)}`
    await stage.api.send('PUT', path, { key: publicKey, body: FILE })
  }
  return { id: list.body.data[0].id, submissionId }
}

const REPORTER_SECRET = 's'.repeat(43)

async function makeIssue({ publicKey }: TestProject, report: object = {}): Promise<string> {
  const body = { title: 'x', ...report }
  return (await stage.api.send('POST', '/v1/issues', { key: publicKey, body })).body.id
}

const COMMENT_ID = 'comment-1'

/** An issue, with a comment by another key if the call is about one. */
async function makeIssueFor(home: TestProject, { path }: Endpoint): Promise<Pick<Thing, 'id'>> {
  const id = await makeIssue(home)
  if (path.includes('{commentId}')) {
    const body = { commentId: COMMENT_ID, text: 'x' }
    const { status } = await stage.api.send('POST', `/v1/issues/${id}/comments`, {
      key: home.secretKey,
      body,
    })
    expect(status).toBe(201)
  }
  return { id }
}

/** A webhook with a pending delivery of the last event. */
async function makeWebhook(home: TestProject): Promise<string> {
  const { body } = await stage.api.send('POST', '/v1/webhooks', {
    key: home.secretKey,
    body: { url: NOBODY_LISTENS },
  })
  await makeIssue(home)
  await stage.api.app.storage.deliveries.fanOut(home.id, body.id, Date.now())
  return body.id
}

async function expectUntouched(
  { tag, hasRawBody }: Endpoint,
  id: string,
  { secretKey }: TestProject,
): Promise<void> {
  if (tag === 'settings' || tag === 'my') return
  const { status, body } = await stage.api.send('GET', `/v1/${tag}/${id}`, { key: secretKey })
  if (tag === 'attachments') return expect(status).toBe(hasRawBody ? 404 : 200)
  expect([status, body.version ?? 1, body.updatedAt]).toEqual([200, 1, body.createdAt])
}

/** These tests must not send anything to the Internet. */
const NOBODY_LISTENS = 'http://127.0.0.1:9/'

/** The example of the contract, about the target. */
function bodyFor({ body }: Endpoint, { exists, home }: Target): object | undefined {
  if (body === undefined) return undefined
  const { examples = [], properties = {} } = body as { examples?: object[]; properties?: object }
  return {
    ...examples[0],
    // Another caller is another reporter, which makes it other content.
    ...('submissionId' in properties && { submissionId: randomUUID() }),
    ...('projectId' in properties && { projectId: exists.project ? projects[home].slug : 'nobody' }),
    // All callers have the same address.
    ...('blockSender' in properties && { blockSender: false }),
    ...('email' in properties && !('revision' in properties) && { email: `${anotherAddress()}@example.com` }),
    ...('slug' in properties &&
      !('revision' in properties) && { slug: `made-${anotherAddress().replaceAll('.', '-')}` }),
    ...('url' in properties && 'projectId' in properties && { url: NOBODY_LISTENS }),
  }
}
