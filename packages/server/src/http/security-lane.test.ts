import { isDeepStrictEqual } from 'node:util'
import { ALL_SCOPES, type Endpoint, endpoints } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHANGES, HIDDEN, PROBES, type Prober, VISIBLE } from '../../test-support/lane-probes.ts'
import { type Story, TAKEN_FINGERPRINTS, tellStory } from '../../test-support/lane-story.ts'
import { type Place, startTwins, type Twin, type Twins } from '../../test-support/lane-twins.ts'
import { toBytes } from '../../test-support/shown-answer.ts'
import { startApp, type TestApp, type TestProject } from '../../test-support/start-app.ts'
import { type Receiver, startReceiver } from '../../test-support/start-receiver.ts'
import { addTeamWebhooks, settleDeliveries } from '../../test-support/webhook-probes.ts'
import { mintId, ordinalOf } from '../ids.ts'

let twins: Twins
let story: Story
let untouched: unknown
let receiver: Receiver

beforeAll(async () => {
  twins = await startTwins()
  receiver = await startReceiver()
  for (const twin of [twins.plain, twins.hiding])
    for (const place of twins.places) await addTeamWebhooks(twin, place, receiver.url)
  story = await tellStory(twins)
  untouched = await readHidden()
})
afterAll(async () => {
  await twins[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** Everyone who must not see the lane. */
const BLIND_CALLERS = {
  'a secret key with every other scope': ({ blindKey }: Place) => blindKey,
  'a key for all projects with every other scope': () => twins.keys.blindInstanceKey,
  'a public key': ({ publicKey }: Place) => publicKey,
  nobody: () => undefined,
  'a key of another project with every scope': () => twins.keys.strangersKey,
  'a viewer': () => twins.keys.blindPeople.viewer,
  'a triager': () => twins.keys.blindPeople.triager,
  'an admin': () => twins.keys.blindPeople.admin,
  'an admin of another project with every right': () => twins.keys.strangersCookie,
} as const satisfies Record<string, (place: Place) => string | undefined>
type BlindCaller = keyof typeof BLIND_CALLERS
const BLIND = Object.keys(BLIND_CALLERS) as readonly BlindCaller[]
/** Whoever may do less than an admin in the same way is asked only what they may read. */
const WRITERS = BLIND.filter((caller) => caller !== 'a viewer' && caller !== 'a triager')

const TABLE = Object.values<Endpoint>(endpoints)
const READING = TABLE.filter(({ method }) => method === 'GET')
const WRITING = TABLE.filter(({ method }) => method !== 'GET')
/** What shows issues, or what is counted of them. */
const TELLING = [
  'listIssues',
  'retrieveIssue',
  'listIssueEvents',
  'listIssueReports',
  'listEvents',
  'getProjectStats',
  'listDeliveries',
]

const casesOf = (some: readonly Endpoint[], callers = BLIND) =>
  some.flatMap(({ name }) => callers.map((caller) => [name, caller] as const))

let comparisons = 0

it('leaves two traces that are accepted: gaps in the numbers, and totals of the intake', async () => {
  for (const place of twins.places) {
    const read = async (twin: Twin, path: string) =>
      (await twin.api.send('GET', path, { key: place.blindKey })).body
    const tracesOf = async (twin: Twin) => ({
      number: (await read(twin, `/v1/issues/${twin.idOf(place, 'last')}`)).issueNumber,
      received: (await read(twin, `/v1/projects/${place.project.id}/stats`)).intake.received,
    })
    const plain = await tracesOf(twins.plain)
    expect(await tracesOf(twins.hiding)).toEqual({
      number: plain.number + story.hiddenIds(place).size,
      received: plain.received + story.hiddenSubmissions,
    })
  }
})

describe('without security:read, a project with security issues is like one that never had any', () => {
  const compare = async (name: string, caller: BlindCaller) => {
    for (const place of twins.places) {
      const { found, expected, differing } = await probeBoth(
        name,
        place,
        caller,
        BLIND_CALLERS[caller](place),
      )
      const [first] = differing
      expect(first?.found).toEqual(first?.expected)
      expect(found).toHaveLength(expected.length)
      expect(found.filter(({ status }) => status >= 500)).toEqual([])
      expect(found.filter(({ body }) => tellsOf(place, body))).toEqual([])
      comparisons += found.length
    }
  }

  it.each(casesOf(READING))('%s by %s', compare)
  it.each(casesOf(WRITING, WRITERS))('%s by %s', compare)
  it.each(casesOf(READING, ['a secret key with every other scope', 'nobody']))(
    '%s by %s, after all that was written',
    compare,
  )

  it('and nothing that was tried has touched a hidden issue', async () => {
    expect(await readHidden()).toEqual(untouched)
  })

  it('which was compared often enough to mean something', () => {
    expect(comparisons).toBeGreaterThan(3_000)
  })

  it.each(TELLING)('which the probes of %s could tell: with security:read they find them', async (name) => {
    for (const place of twins.places) {
      const { differing } = await probeBoth(name, place, 'the team', place.teamKey)
      expect(differing).not.toHaveLength(0)
    }
  })
})

describe('a hidden id answers like one that never was, to the last byte', () => {
  const byId = TABLE.filter(({ path }) => path.includes('{id}'))

  it.each(casesOf(byId, WRITERS))('%s by %s', async (name, caller) => {
    const { method, path } = byId.find((endpoint) => endpoint.name === name) ?? {}
    const wishes = method === 'PATCH' ? CHANGES : [{}, { headers: { 'if-none-match': '*', 'if-match': '*' } }]
    for (const place of twins.places) {
      const key = BLIND_CALLERS[caller](place)
      const ask = async (id: string) => {
        const answers: string[] = []
        for (const wish of wishes) {
          const asked = { ...wish, path: path?.replace('{id}', id) ?? '', key, ...(method && { method }) }
          answers.push(toBytes(await twins.hiding.ask(place, asked), id))
        }
        return answers
      }
      const missing = await ask(missingId(place))
      for (const hidden of hiddenIdsOf(place, HIDDEN)) expect(await ask(hidden)).toEqual(missing)
    }
    twins.hiding.takeTranscript()
  })
})

describe('a security report', () => {
  let api: TestApp
  let project: TestProject
  let blindKey: string

  beforeAll(async () => {
    api = await startApp()
    project = await api.addProject()
    blindKey = await api.addKey({ project, scopes: ALL_SCOPES.filter((scope) => scope !== 'security:read') })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const submit = async (body: object) =>
    api.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'Token leaks', ...body } })
  const get = (path: string, key = blindKey) => api.send('GET', path, { key })
  const change = (id: string, body: object, key = blindKey) =>
    api.send('PATCH', `/v1/issues/${id}`, { key, body })
  const figures = async (key = blindKey) => {
    const {
      intake: _,
      generatedAt: __,
      ...rest
    } = (await get(`/v1/projects/${project.slug}/stats`, key)).body
    return rest
  }

  it('is answered to its submitter like any other, again when it is repeated, and with nothing behind it', async () => {
    const report = { category: 'security', submissionId: 'once' }
    const first = await submit(report)
    const again = await submit(report)
    expect(first.status).toBe(201)
    expect(Object.keys(first.body)).toEqual(['id', 'issueNumber', 'title', 'status', 'createdAt'])
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await get(first.headers.get('location') ?? '')).status).toBe(404)
    expect((await get(`/v1/issues/${first.body.id}`, project.publicKey)).status).toBe(403)
    expect((await get(`/v1/issues/${first.body.id}`, project.secretKey)).body.category).toBe('security')
  })

  it('is never joined by a public report, which becomes an issue of its own', async () => {
    const hidden = await submit({ category: 'security', fingerprint: 'same' })
    const open = await submit({ category: 'bug', fingerprint: 'same' })
    const joined = await submit({ category: 'crash', fingerprint: 'same' })
    expect([open.status, joined.status, joined.body.id]).toEqual([201, 200, open.body.id])
    expect(joined.body.reportCount).toBe(2)
    expect((await get(`/v1/issues/${hidden.body.id}`, project.secretKey)).body.reportCount).toBe(1)
  })

  it('is found by no search, whether indexed or not', async () => {
    const word = async (key?: string) => (await get('/v1/issues?q=aardvark', key)).body
    const { body } = await submit({ category: 'security', description: 'An aardvark' })
    expect((await word()).pagination.totalCount).toBe(0)
    expect((await word(project.secretKey)).data[0].id).toBe(body.id)
    await change(body.id, { category: 'bug' }, project.secretKey)
    expect((await word()).data.map(({ id }: { id: string }) => id)).toEqual([body.id])
    await change(body.id, { category: 'security' }, project.secretKey)
    expect(await word()).toMatchObject({ data: [], pagination: { totalCount: 0, hasMore: false } })
  })

  it('loses its fingerprint on its way into the lane if another has it there, and keeps it if not', async () => {
    await submit({ category: 'security', fingerprint: 'taken' })
    for (const [fingerprint, kept] of [
      ['taken', null],
      ['free', 'free'],
    ] as const) {
      const { id } = (await submit({ fingerprint })).body
      // Who moves it out of their own sight does not learn which.
      expect((await change(id, { category: 'security' })).body.fingerprint).toBeNull()
      expect((await get(`/v1/issues/${id}`, project.secretKey)).body.fingerprint).toBe(kept)
    }
    const before = (await submit({ fingerprint: 'taken' })).body
    expect((await submit({ fingerprint: 'taken' })).body).toMatchObject({ id: before.id, reportCount: 2 })
  })

  it('is answered once to whoever moves it out of their own sight, and then is not there', async () => {
    const { id } = (await submit({ category: 'bug' })).body
    const moved = await change(id, { category: 'security', note: 'Look at this' })
    expect([moved.status, moved.body.category, moved.body.version]).toEqual([200, 'security', 2])
    const answers = [
      await get(`/v1/issues/${id}`),
      await change(id, { category: 'bug' }),
      await change(id, { category: 'security' }),
      await get(`/v1/issues/${id}/events`),
      await get(`/v1/issues/${id}/reports`),
      await api.send('DELETE', `/v1/issues/${id}`, { key: blindKey }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect((await get(`/v1/issues/${id}`, project.secretKey)).body.version).toBe(2)
  })

  it('that is moved back is seen again with its history; counters, search and lists follow', async () => {
    const empty = await figures()
    const all = await figures(project.secretKey)
    const { id } = (await submit({ title: 'Pangolin', fingerprint: 'back', platform: 'ios' })).body
    await submit({ fingerprint: 'back' })
    await change(id, { status: 'resolved' })
    const visible = await figures()
    const issues = async () => (await get('/v1/issues?q=pangolin&status=resolved')).body

    await change(id, { category: 'security' })
    expect(await figures()).toEqual(empty)
    expect((await issues()).pagination.totalCount).toBe(0)
    expect((await figures(project.secretKey)).totals.issues).toBe(all.totals.issues + 1)

    await change(id, { category: 'bug' }, project.secretKey)
    expect(await figures()).toEqual(visible)
    expect((await issues()).data.map((issue: { id: string }) => issue.id)).toEqual([id])
    const { body: issue } = await get(`/v1/issues/${id}`)
    expect(issue).toMatchObject({ version: 4, fingerprint: 'back', reportCount: 2, status: 'resolved' })
    const { data: events } = (await get(`/v1/issues/${id}/events`)).body
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'issue.created',
      'issue.status_changed',
      'issue.updated',
      'issue.updated',
    ])
    expect((await get(`/v1/issues/${id}/reports`)).body.data).toHaveLength(2)
  })

  describe('leaves traces that are not accepted yet', () => {
    // A security report joins a hidden issue of its fingerprint, and 200 tells its number, status and report count.
    it('in the answer to another with its fingerprint', async () => {
      const { id } = (await submit({ category: 'security', fingerprint: 'guessed' })).body
      await change(id, { status: 'resolved' }, project.secretKey)
      const { status, body } = await submit({ category: 'security', fingerprint: 'guessed' })
      expect([status, body.status]).toEqual([201, 'open'])
    })

    // The third trace: ids of submissions are kept for the whole project, so a guessed one answers 409 (docs/decisions.md).
    it('but that its submission id is taken', async () => {
      await submit({ category: 'security', submissionId: 'guessed' })
      const { status, body } = await submit({ title: 'Another', submissionId: 'guessed' })
      expect([status, body.code]).toEqual([409, 'submission-conflict'])
    })
  })
})

/** Asks both twins the same, as one caller. */
async function probeBoth(name: string, place: Place, caller: string, key: string | undefined) {
  const probe = PROBES[name]
  if (probe === undefined) throw new Error(`say how the lane is checked for ${name}, in lane-probes.ts`)
  twins.align()
  await probe(proberFor(twins.plain, place, caller, key))
  await probe(proberFor(twins.hiding, place, caller, key))
  const expected = twins.plain.takeTranscript()
  const found = twins.hiding.takeTranscript()
  const differing = found
    .map((shown, index) => ({ found: shown, expected: expected[index] }))
    .filter((pair) => !isDeepStrictEqual(pair.found, pair.expected))
  expect(expected).not.toHaveLength(0)
  return { found, expected, differing }
}

/** A twin as one caller finds it. Hidden ids are asked for in both; in one of them they never were. */
function proberFor(twin: Twin, place: Place, caller: string, key: string | undefined): Prober {
  const makeIssue = async (body: object): Promise<string> => {
    const made = { title: 'Made for a probe', ...body }
    return (await twin.ask(place, { method: 'POST', path: '/v1/issues', key: place.publicKey, body: made }))
      .body.id
  }
  return {
    place,
    caller,
    ids: [...VISIBLE.map((name) => twin.idOf(place, name)), ...hiddenIdsOf(place, HIDDEN), missingId(place)],
    takenFingerprint: TAKEN_FINGERPRINTS[(BLIND as readonly string[]).indexOf(caller)] ?? '',
    ask: (asked) => twin.ask(place, { ...asked, key }),
    listen: (asked) =>
      twin.listen(place, { ...asked, key }, async () => {
        if (twin === twins.hiding) await hideAnother(place)
        return makeIssue({ fingerprint: 'streamed' })
      }),
    makeIssue,
    webhooks: {
      open: twin.idOf(place, 'webhook open'),
      full: twin.idOf(place, 'webhook full'),
      missing: missingId(place, 'whk'),
    },
    receiverUrl: receiver.url,
    settle: () => settleDeliveries(twin),
  }
}

/** A security issue that comes while somebody listens. */
async function hideAnother({ publicKey }: Place): Promise<void> {
  const body = { title: 'Zebra', description: 'okapi', category: 'security' }
  await twins.hiding.api.send('POST', '/v1/issues', { key: publicKey, body })
}

function hiddenIdsOf(place: Place, names: readonly string[]): readonly string[] {
  return names.map((name) => story.hiddenIds(place).get(name) ?? '')
}

const missingIds = new Map<string, string>()

function missingId({ project }: Place, prefix: 'iss' | 'whk' = 'iss'): string {
  const known = missingIds.get(`${prefix} ${project.id}`)
  const id = known ?? mintId(prefix, project.createdAt, ordinalOf(project.id))
  missingIds.set(`${prefix} ${project.id}`, id)
  return id
}

/** Whether an answer holds a hidden id or word that was not in the question. */
function tellsOf(place: Place, body: unknown): boolean {
  const { instance: _, ...rest } = Object(body)
  const text = JSON.stringify(rest)
  const isNamed = [...story.hiddenIds(place).values()].some((id) => text.includes(id))
  return isNamed || /quagga|okapi|ibex/i.test(text)
}

/** The hidden issues with their histories, as the team sees them. */
async function readHidden(): Promise<unknown> {
  const paths = twins.places.flatMap((place) =>
    [...story.hiddenIds(place).values()].flatMap((id) =>
      ['', '/events', '/reports'].map((rest) => ({ key: place.teamKey, path: `/v1/issues/${id}${rest}` })),
    ),
  )
  return Promise.all(
    paths.map(async ({ key, path }) => {
      const { status, body } = await twins.hiding.api.send('GET', path, { key })
      return status === 200 ? body : status
    }),
  )
}
