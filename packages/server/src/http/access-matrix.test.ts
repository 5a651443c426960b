import { ALL_SCOPES, type Endpoint, type ErrorCode, endpoints, type Scope } from '@bugle/contract'
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
  api = await startApp({ environment: { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' } })
  privateProject = await api.addProject()
  publicProject = await api.addProject({ isPublic: true })
  otherProject = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

/** Somebody who calls. `home` is the project that the call is about. */
interface Caller {
  makeKey(home: TestProject): Promise<string | undefined>
  readonly kind: 'nobody' | 'public' | 'secret'
  readonly scopes?: readonly Scope[]
  /** Which projects the key reaches; the one that is asked for, unless said otherwise. */
  readonly reach?: 'other' | 'all'
  readonly origin?: string
  /** What is wrong with the credential itself. */
  readonly fault?: ErrorCode
}

const secret = (scopes: readonly Scope[]): Caller => ({
  kind: 'secret',
  scopes,
  makeKey: (project) => api.addKey({ project, scopes }),
})

const CALLERS: Readonly<Record<string, Caller>> = {
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

/** How an endpoint is told what it is about. */
function aboutOf({
  name,
  path,
  query,
  body,
}: Endpoint): 'thing' | 'project' | 'the project of the key' | 'nothing' {
  if (path.includes('{id}')) return 'thing'
  if (path.includes('{idOrSlug}') || namesProject(query) || namesProject(body)) return 'project'
  const submitsOrConfigures: readonly string[] = [endpoints.submitIssue.name, endpoints.getSdkConfig.name]
  return submitsOrConfigures.includes(name) ? 'the project of the key' : 'nothing'
}

function namesProject(schema: object = {}): boolean {
  return 'projectId' in ((schema as { properties?: object }).properties ?? {})
}

/** The verdict by the words of the design: section 3, the table of operations and "Keys". */
function expectedOf(endpoint: Endpoint, caller: Caller, { isPublic, exists }: Target): Verdict {
  const { access } = endpoint
  if (access === null) return 'ok'
  if (access === undefined) throw new Error(`say who may call ${endpoint.name}`)
  if (caller.fault !== undefined) return caller.fault

  const about = aboutOf(endpoint)
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

async function verdictOf(endpoint: Endpoint, caller: Caller, target: Target): Promise<Verdict> {
  const home = target.home()
  const id = await idOf(endpoint, home, target)
  const name = target.exists.project ? home.slug : 'nobody'
  const position = String((await api.app.storage.events.window(home.id)).end)
  const path = endpoint.path.replace('{id}', id).replace('{idOrSlug}', name).replace('{position}', position)
  const query = namesProject(endpoint.query) ? `?projectId=${name}` : ''
  const key = await caller.makeKey(home)
  const answer = await api.send(endpoint.method, path + query, {
    ...(key !== undefined && { key }),
    ...(endpoint.body && { body: bodyFor(endpoint.body, name) }),
    ...(caller.origin && { headers: { origin: caller.origin } }),
  })
  if (answer.status < 400) return 'ok'
  if (target.exists.thing && id !== '') await expectUntouched(endpoint, id, home)
  return answer.body.code
}

/** The id to ask for: of something new, or of something that never was. */
async function idOf(endpoint: Endpoint, home: TestProject, { exists }: Target): Promise<string> {
  if (!endpoint.path.includes('{id}')) return ''
  const made = MADE_BY_TAG[endpoint.tag]
  if (made === undefined) throw new Error(`say what ${endpoint.path} is about`)
  return exists.thing
    ? made.make(home)
    : mintId(made.prefix, Date.now(), exists.project ? ordinalOf(home.id) : 7)
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
    ...('url' in properties && 'projectId' in properties && { url: NOBODY_LISTENS, projectId }),
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
