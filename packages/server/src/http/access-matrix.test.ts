import {
  ALL_ROLES,
  ALL_SCOPES,
  type Endpoint,
  type ErrorCode,
  endpoints,
  type Role,
  type Scope,
} from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../test-support/start-app.ts'
import { mintId, ordinalOf } from '../ids.ts'

/**
 * Every endpoint of the table, by everyone, for whatever there may be or not be. What is expected is worked out here
 * from the words of the design, not by the server's own rule.
 */

const PAGE = 'https://app.example'
const OTHER_PAGE = 'https://elsewhere.example'

let api: TestApp
let privateProject: TestProject
let publicProject: TestProject
let otherProject: TestProject

beforeAll(async () => {
  api = await startApp({
    environment: { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1', BUGLE_TRUST_PROXY: '127.0.0.1' },
  })
  privateProject = await api.addProject()
  publicProject = await api.addProject({ isPublic: true })
  otherProject = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

/** Somebody who calls. `home` is the project that the call is about. */
interface Caller {
  /** A key, or the cookie of a person. */
  makeKey(home: TestProject): Promise<string | undefined>
  readonly kind: 'nobody' | 'public' | 'secret' | 'person'
  readonly scopes?: readonly Scope[]
  /** Which projects it reaches; the one that is asked for, unless said otherwise. */
  readonly reach?: 'other' | 'all'
  readonly origin?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What is wrong with the credential itself. */
  readonly fault?: ErrorCode
  /** Only what is no GET is refused for it. */
  readonly isFaultOfChanges?: true
}

const secret = (scopes: readonly Scope[]): Caller => ({
  kind: 'secret',
  scopes,
  makeKey: (project) => api.addKey({ project, scopes }),
})

/** What a person with this role may do: the table of the design, in the words of keys. */
const SCOPES_BY_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['issues:read', 'projects:read', 'events:read'],
  triager: ['issues:read', 'projects:read', 'events:read', 'issues:triage'],
  admin: ['issues:read', 'projects:read', 'events:read', 'issues:triage', 'issues:delete', 'webhooks:manage'],
}

const person = (role: Role, canSeeSecurity: boolean, reach?: 'other' | 'all'): Caller => ({
  kind: 'person',
  scopes: [...SCOPES_BY_ROLE[role], ...(canSeeSecurity ? (['security:read'] as const) : [])],
  ...(reach && { reach }),
  makeKey(home) {
    const projects = { all: undefined, other: [otherProject], home: [home] }[reach ?? 'home']
    return api.addUser({ role, canSeeSecurity, ...(projects && { projects }) })
  },
})

const PEOPLE = Object.fromEntries(
  ALL_ROLES.flatMap((role) =>
    [true, false].flatMap((canSeeSecurity) => {
      const who = `a ${role} ${canSeeSecurity ? 'with' : 'without'} the right security`
      return [
        [who, person(role, canSeeSecurity)],
        [`${who}, of all projects`, person(role, canSeeSecurity, 'all')],
        [`${who}, of another project`, person(role, canSeeSecurity, 'other')],
      ] as const
    }),
  ),
)

const CALLERS: Readonly<Record<string, Caller>> = {
  ...PEOPLE,
  'a person whose request does not come from the dashboard': {
    ...person('admin', true, 'all'),
    headers: { 'bugle-csrf': '0' },
    fault: 'csrf-header-required',
    isFaultOfChanges: true,
  },
  'a person from a page of another site': {
    ...person('admin', true, 'all'),
    headers: { 'sec-fetch-site': 'cross-site' },
    fault: 'csrf-header-required',
    isFaultOfChanges: true,
  },
  // Nobody any more: a cookie that says nothing is like none.
  'a person who has signed out': {
    kind: 'nobody',
    async makeKey() {
      const cookie = await api.addUser()
      await api.send('DELETE', '/session', { key: cookie })
      return cookie
    },
  },
  nobody: { kind: 'nobody', makeKey: async () => undefined },
  'a public key': { kind: 'public', makeKey: async ({ publicKey }) => publicKey },
  'a public key on its page': {
    kind: 'public',
    origin: PAGE,
    makeKey: (project) => api.addKey({ project, kind: 'public', origins: [PAGE] }),
  },
  'a public key on another page': {
    kind: 'public',
    origin: OTHER_PAGE,
    fault: 'origin-not-allowed',
    makeKey: (project) => api.addKey({ project, kind: 'public', origins: [PAGE] }),
  },
  'a public key of another project': {
    kind: 'public',
    reach: 'other',
    makeKey: async () => otherProject.publicKey,
  },
  'a secret key without scopes': secret([]),
  ...Object.fromEntries(ALL_SCOPES.map((scope) => [`a secret key with only ${scope}`, secret([scope])])),
  'a secret key with every scope': secret(ALL_SCOPES),
  'a secret key on a page': {
    ...secret(ALL_SCOPES),
    origin: PAGE,
    fault: 'secret-key-in-browser',
  },
  'a secret key of another project': {
    ...secret(ALL_SCOPES),
    reach: 'other',
    makeKey: async () => otherProject.secretKey,
  },
  'a key for all projects': { ...secret(ALL_SCOPES), reach: 'all', makeKey: () => api.addKey({}) },
  'a key for all projects without scopes': {
    ...secret([]),
    reach: 'all',
    makeKey: () => api.addKey({ scopes: [] }),
  },
  'a revoked key': {
    ...secret(ALL_SCOPES),
    fault: 'invalid-credentials',
    async makeKey(project) {
      const token = await api.addKey({ project })
      const key = (await api.app.storage.keys.list(project.id)).at(-1)
      if (key !== undefined) await api.app.storage.keys.revoke(key.id, 0)
      return token
    },
  },
  'a mistyped key': {
    ...secret(ALL_SCOPES),
    fault: 'invalid-credentials',
    makeKey: async ({ secretKey }) => `${secretKey.slice(0, -1)}!`,
  },
}

/** What a call is about. */
interface Target {
  readonly home: () => TestProject
  readonly isPublic: boolean
  /** Whether the project exists, and whether the thing in it does. */
  readonly exists: { readonly project: boolean; readonly thing: boolean }
}

const TARGETS: Readonly<Record<string, Target>> = {
  'in a private project': {
    home: () => privateProject,
    isPublic: false,
    exists: { project: true, thing: true },
  },
  'in a public project': {
    home: () => publicProject,
    isPublic: true,
    exists: { project: true, thing: true },
  },
  'missing in a private project': {
    home: () => privateProject,
    isPublic: false,
    exists: { project: true, thing: false },
  },
  'missing in a public project': {
    home: () => publicProject,
    isPublic: true,
    exists: { project: true, thing: false },
  },
  'of a project that does not exist': {
    home: () => privateProject,
    isPublic: false,
    exists: { project: false, thing: false },
  },
}

type Verdict = 'ok' | ErrorCode

type About = 'thing' | 'own thing' | 'project' | 'the project of the key' | 'nothing'

/** How an endpoint is told what it is about. */
function aboutOf({ name, path, query, body, access }: Endpoint): About {
  if (path.includes('{id}')) return access === 'signed-in' ? 'own thing' : 'thing'
  if (path.includes('{idOrSlug}') || namesProject(query) || namesProject(body)) return 'project'
  const submitsOrConfigures: readonly string[] = [endpoints.submitIssue.name, endpoints.getSdkConfig.name]
  return submitsOrConfigures.includes(name) ? 'the project of the key' : 'nothing'
}

function namesProject(schema: object = {}): boolean {
  return 'projectId' in ((schema as { properties?: object }).properties ?? {})
}

/** What comes of the example of the contract for whoever may call. */
const LET_IN: Readonly<Record<string, ErrorCode>> = {
  signIn: 'sign-in-failed',
  readLink: 'link-invalid',
  acceptLink: 'link-invalid',
  changePassword: 'validation-failed',
}

/** The verdict by the words of the design: section 3, the table of operations and "Keys", and section 6, "People". */
function expectedOf(endpoint: Endpoint, sender: Caller, target: Target): Verdict {
  const { access } = endpoint
  const { isPublic, exists } = target
  if (access === undefined) throw new Error(`say who may call ${endpoint.name}`)
  // Behind a proxy, and without a token of the operator: nobody, whatever key they have.
  if (access === 'operator') return 'credentials-required'
  if (access === null) return isFromElsewhere(endpoint, sender) ? 'csrf-header-required' : letIn(endpoint)
  const caller = asSeenBy(endpoint, sender)
  if (caller.fault !== undefined && !(caller.isFaultOfChanges && endpoint.method === 'GET'))
    return caller.fault

  const about = aboutOf(endpoint)
  if (access === 'signed-in') return expectedOfOwn(endpoint, caller, target)
  const isThere = about === 'thing' ? exists.thing : about === 'project' ? exists.project : true
  const isOpenToAnyone = access.publicProject && isPublic && exists.project
  // "Without a credential, what is private, hidden or missing answers the same 401."
  if (caller.kind === 'nobody') return isOpenToAnyone && isThere ? 'ok' : 'credentials-required'

  const isPermitted =
    caller.kind === 'public'
      ? access.publicKey
      : access.scope === null || caller.scopes?.includes(access.scope) === true
  // "Such a key can not submit and must name projectId."
  if (about === 'the project of the key' && caller.reach === 'all') return 'insufficient-scope'
  if (about === 'the project of the key' || about === 'nothing')
    return isPermitted ? 'ok' : 'insufficient-scope'

  // "Something of another project answers 404, in the same words as something that does not exist;
  // a good key without the scope, 403."
  const isReached = exists.project && caller.reach !== 'other'
  if (!isPermitted && !(isOpenToAnyone && isReached)) return 'insufficient-scope'
  return isReached && isThere ? 'ok' : 'not-found'
}

/** What is a person's own: theirs alone, and a view's project one that they see. */
function expectedOfOwn(endpoint: Endpoint, { kind, reach }: Caller, { exists }: Target): Verdict {
  if (kind === 'nobody') return 'credentials-required'
  if (kind !== 'person') return 'insufficient-scope'
  const about = aboutOf(endpoint)
  if (about === 'own thing' && !exists.thing) return 'not-found'
  if (about === 'project' && (!exists.project || reach === 'other')) return 'not-found'
  return letIn(endpoint)
}

function letIn({ name }: Endpoint): Verdict {
  return LET_IN[name] ?? 'ok'
}

function isFromElsewhere({ method }: Endpoint, { headers }: Caller): boolean {
  return method !== 'GET' && headers?.['sec-fetch-site'] === 'cross-site'
}

/** "`POST /v1/issues` never looks at cookies", nor does what else pages of other origins may call. */
function asSeenBy({ crossOrigin }: Endpoint, caller: Caller): Caller {
  return crossOrigin && caller.kind === 'person' ? { kind: 'nobody', makeKey: caller.makeKey } : caller
}

async function verdictOf(endpoint: Endpoint, caller: Caller, target: Target): Promise<Verdict> {
  const home = target.home()
  const key = await keyOf(endpoint, caller, home)
  const { id, position } =
    aboutOf(endpoint) === 'own thing'
      ? { id: await ownIdOf(endpoint, caller, target, key), position: 0 }
      : await thingOf(endpoint, home, target)
  const name = target.exists.project ? home.slug : 'nobody'
  const path = endpoint.path
    .replace('{id}', id)
    .replace('{idOrSlug}', name)
    .replace('{position}', String(position))
  const query = namesProject(endpoint.query) ? `?projectId=${name}` : ''
  const answer = await api.send(endpoint.method, path + query, {
    ...(key !== undefined && { key }),
    ...(endpoint.body && { body: bodyFor(endpoint.body, name) }),
    headers: {
      ...(caller.origin && { origin: caller.origin }),
      ...(endpoint.tag === 'session' && { 'x-forwarded-for': anotherAddress() }),
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

let addresses = 0

/** Attempts to sign in are limited for each address and account: every one comes from elsewhere. */
function anotherAddress(): string {
  addresses++
  return `10.0.${addresses >> 8}.${addresses & 255}`
}

const cookies = new Map<string, string>()

/** People are made once for each project, unless they may be signed out. */
async function keyOf({ tag }: Endpoint, caller: Caller, home: TestProject): Promise<string | undefined> {
  if (caller.kind !== 'person' || tag === 'session') return caller.makeKey(home)
  const place = `${Object.values(CALLERS).indexOf(caller)} ${home.id}`
  const cookie = cookies.get(place) ?? (await caller.makeKey(home))
  if (cookie !== undefined) cookies.set(place, cookie)
  return cookie
}

/** The id of something that is the caller's own, or of something that never was. */
async function ownIdOf(
  { name }: Endpoint,
  { kind }: Caller,
  { exists }: Target,
  key: string | undefined,
): Promise<string> {
  const isView = name === endpoints.deleteView.name
  if (kind !== 'person' || key === undefined || !exists.thing)
    return mintId(isView ? 'viw' : 'sgn', Date.now(), 7)
  if (!isView) return (await api.send('GET', '/session/sign-ins', { key })).body.data[0].id
  const body = {
    name: 'Mine',
    projectId: (await api.send('GET', '/v1/projects', { key })).body.data[0].id,
    query: '',
  }
  return (await api.send('POST', '/session/views', { key, body })).body.id
}

const things = new Map<string, Thing>()

interface Thing {
  readonly id: string
  /** Of the event that the last delivery is of, if it is a webhook. */
  readonly position: number
}

/** What to ask for: something that nobody has changed yet, or something that never was. */
async function thingOf(endpoint: Endpoint, home: TestProject, { exists }: Target): Promise<Thing> {
  if (!endpoint.path.includes('{id}')) return { id: '', position: 0 }
  const made = MADE_BY_TAG[endpoint.tag]
  if (made === undefined) throw new Error(`say what ${endpoint.path} is about`)
  const ordinal = exists.project ? ordinalOf(home.id) : 7
  if (!exists.thing) return { id: mintId(made.prefix, Date.now(), ordinal), position: 1 }
  const place = `${endpoint.name} ${home.id}`
  const id = things.get(place)?.id ?? (await made.make(home))
  const { position } = things.get(place) ?? { position: (await api.app.storage.events.window(home.id)).end }
  things.set(place, { id, position })
  return { id, position }
}

const MADE_BY_TAG: Partial<Record<Endpoint['tag'], Made>> = {
  issues: { prefix: 'iss', make: makeIssue },
  webhooks: { prefix: 'whk', make: makeWebhook },
}

interface Made {
  readonly prefix: 'iss' | 'whk'
  make(home: TestProject): Promise<string>
}

async function makeIssue({ publicKey }: TestProject): Promise<string> {
  return (await api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'x' } })).body.id
}

/** A webhook with a delivery to be made: of the last event. */
async function makeWebhook(home: TestProject): Promise<string> {
  const { body } = await api.send('POST', '/v1/webhooks', {
    key: home.secretKey,
    body: { url: NOBODY_LISTENS },
  })
  await makeIssue(home)
  await api.app.storage.deliveries.fanOut(home.id, body.id, Date.now())
  return body.id
}

async function expectUntouched({ tag }: Endpoint, id: string, { secretKey }: TestProject): Promise<void> {
  const { status, body } = await api.send('GET', `/v1/${tag}/${id}`, { key: secretKey })
  expect([status, body.version ?? 1, body.updatedAt]).toEqual([200, 1, body.createdAt])
}

/** Nothing that is tried here may go out into the world. */
const NOBODY_LISTENS = 'http://127.0.0.1:9/'

function bodyFor(schema: object, projectId: string): unknown {
  const { examples = [], properties = {} } = schema as { examples?: object[]; properties?: object }
  return {
    ...examples[0],
    ...('projectId' in properties && { projectId }),
    ...('email' in properties && 'password' in properties && { email: `${anotherAddress()}@example.com` }),
    ...('url' in properties && 'projectId' in properties && { url: NOBODY_LISTENS }),
  }
}

describe('who may call', () => {
  const table = Object.values<Endpoint>(endpoints)
  const targetsOf = (endpoint: Endpoint) =>
    Object.entries(TARGETS).filter(([, { exists }]) =>
      aboutOf(endpoint) === 'thing' ? true : exists.project === exists.thing,
    )

  it.each(table.map((endpoint) => [endpoint.name, endpoint] as const))('%s', async (_, endpoint) => {
    const expected: Record<string, Verdict> = {}
    const found: Record<string, Verdict> = {}
    for (const [who, caller] of Object.entries(CALLERS)) {
      for (const [what, target] of targetsOf(endpoint)) {
        expected[`${who}, ${what}`] = expectedOf(endpoint, caller, target)
        found[`${who}, ${what}`] = await verdictOf(endpoint, caller, target)
      }
    }
    expect(found).toEqual(expected)
  })
})
