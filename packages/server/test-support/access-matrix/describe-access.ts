import { type Endpoint, endpoints } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isId, mintId, projectNumberOf } from '../../src/model/ids.ts'
import { startApp, type TestProject } from '../start-app.ts'
import { CALLERS, type Caller, type Stage } from './callers.ts'
import { expectedOf, type Verdict } from './expected-verdicts.ts'
import { aboutOf, namesProject, TARGETS, type Target } from './targets.ts'

let stage: Stage
let projects: Readonly<Record<Target['home'], TestProject>>

/**
 * Every endpoint of the table, by everyone, for whatever there may be or not be. What is expected is worked out
 * from the words of the design (`expected-verdicts.ts`), not by the server's own rule. Once in a file.
 */
export function describeAccess(): void {
  beforeAll(async () => {
    const api = await startApp({
      environment: { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1', BUGLE_TRUST_PROXY: '127.0.0.1' },
    })
    projects = { private: await api.addProject(), public: await api.addProject({ isPublic: true }) }
    stage = { api, otherProject: await api.addProject() }
  })
  afterAll(() => stage.api[Symbol.asyncDispose]())

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
}

async function verdictOf(endpoint: Endpoint, caller: Caller, target: Target): Promise<Verdict> {
  const home = projects[target.home]
  const key = await keyOf(endpoint, caller, home)
  const { id, position, number } =
    aboutOf(endpoint) === 'own thing'
      ? { ...NOTHING, id: await ownIdOf(endpoint, caller, target, key) }
      : await thingOf(endpoint, home, target)
  const name = target.exists.project ? home.slug : 'nobody'
  const path = endpoint.path
    .replace('{id}', id)
    .replace('{idOrSlug}', name)
    .replace('{position}', String(position))
    .replace('{issueNumber}', String(number))
  const query = namesProject(endpoint.query) ? `?projectId=${name}` : ''
  const answer = await stage.api.send(endpoint.method, path + query, {
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

const keys = new Map<string, Promise<string | undefined>>()

/** Keys and people are made once for each project, unless the call may end them. */
function keyOf({ tag }: Endpoint, caller: Caller, home: TestProject): Promise<string | undefined> {
  if (tag === 'session') return caller.makeKey(stage, home)
  const place = `${Object.values(CALLERS).indexOf(caller)} ${home.id}`
  const key = keys.get(place) ?? caller.makeKey(stage, home)
  keys.set(place, key)
  return key
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
  /** Of the event that the last delivery is of, if it is a webhook. */
  readonly position: number
  /** If it is an issue. */
  readonly number: number
}

const NOTHING: Thing = { id: '', position: 0, number: 0 }

/** What to ask for: something that nobody has changed yet, or something that never was. */
async function thingOf(endpoint: Endpoint, home: TestProject, { exists }: Target): Promise<Thing> {
  if (aboutOf(endpoint) !== 'thing') return NOTHING
  const made = MADE_BY_TAG[endpoint.tag]
  if (made === undefined) throw new Error(`say what ${endpoint.path} is about`)
  const ordinal = exists.project ? projectNumberOf(home.id) : 7
  if (!exists.thing) return { id: mintId(made.prefix, Date.now(), ordinal), position: 1, number: 1_000_000 }
  const place = `${endpoint.name} ${home.id}`
  const known = things.get(place)
  if (known !== undefined) return known
  const { storage } = stage.api.app
  const id = await made.make(home)
  const { end: position } = await storage.events.window(home.id, ['open', 'security'])
  const issue = isId('iss', id) ? await storage.issues.find(home.id, id) : undefined
  const thing = { id, position, number: issue?.issueNumber ?? 0 }
  things.set(place, thing)
  return thing
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
  return (await stage.api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'x' } })).body.id
}

/** A webhook with a delivery to be made: of the last event. */
async function makeWebhook(home: TestProject): Promise<string> {
  const { body } = await stage.api.send('POST', '/v1/webhooks', {
    key: home.secretKey,
    body: { url: NOBODY_LISTENS },
  })
  await makeIssue(home)
  await stage.api.app.storage.deliveries.fanOut(home.id, body.id, Date.now())
  return body.id
}

async function expectUntouched({ tag }: Endpoint, id: string, { secretKey }: TestProject): Promise<void> {
  const { status, body } = await stage.api.send('GET', `/v1/${tag}/${id}`, { key: secretKey })
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
