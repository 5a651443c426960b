import {
  CATEGORIES,
  type Endpoint,
  EVENT_TYPES,
  endpoints,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  PRIORITIES,
} from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  HIDDEN_VALUES,
  HIDDEN_WORDS,
  type Story,
  TAKEN_FINGERPRINTS,
  tellStory,
} from '../../test-support/lane-story.ts'
import { type Asked, type Place, startTwins, type Twin, type Twins } from '../../test-support/lane-twins.ts'
import type { Answer } from '../../test-support/start-app.ts'
import { mintId, ordinalOf } from '../ids.ts'

let twins: Twins
let story: Story

beforeAll(async () => {
  twins = await startTwins()
  story = await tellStory(twins)
})
afterAll(() => twins[Symbol.asyncDispose]())

/** Everyone who must not see the lane. */
const CALLERS = {
  'a secret key with every other scope': ({ blindKey }: Place) => blindKey,
  'a key for all projects with every other scope': () => twins.keys.blindInstanceKey,
  'a public key': ({ publicKey }: Place) => publicKey,
  nobody: () => undefined,
  'a key of another project with every scope': () => twins.keys.strangersKey,
} as const satisfies Record<string, (place: Place) => string | undefined>
type CallerName = keyof typeof CALLERS
const CALLER_NAMES = Object.keys(CALLERS) as readonly CallerName[]

/** What a probe is given: it asks whatever could show a trace, and every answer is compared. */
interface Prober {
  readonly twin: Twin
  readonly place: Place
  readonly caller: CallerName
  ask(asked: Omit<Asked, 'key'>): Promise<Answer>
  /** An issue of the open lane, made by somebody else for this probe. */
  makeIssue(body: object): Promise<string>
  /** The ids to ask for: of visible issues, of hidden and deleted ones, and of one that never was. */
  readonly ids: readonly string[]
}

type Probe = (prober: Prober) => Promise<void>

/** How the lane is checked for each endpoint. One that is missing here fails the test. */
const PROBES: Readonly<Record<string, Probe>> = {
  async listIssues(prober) {
    const list = (query: string) =>
      prober.ask({ path: `/v1/issues?projectId=${prober.place.project.slug}${query}` })
    await prober.ask({ path: '/v1/issues' })
    for (const query of LIST_QUERIES) await list(query)
    for (const sort of ISSUE_SORTS) {
      for (const filter of ['', '&status=open,resolved&priority=high,medium', '&q=re*'])
        await walk((cursor) => list(`${filter}&sort=${sort}&pageSize=2${cursor}`))
    }
  },

  retrieveIssue: (prober) =>
    forEachId(prober, '', [
      {},
      { headers: { 'if-none-match': '*' } },
      { headers: { 'if-none-match': '"1.1.full", "1.1.public", "3.3.full", "3.3.public"' } },
    ]),

  async listIssueEvents(prober) {
    await forEachId(prober, '/events', [{}])
    await forEachId(prober, '/events?pageSize=0', [{}])
    await forEachId(prober, '/events?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      await walk((cursor) => prober.ask({ path: `/v1/issues/${id}/events?pageSize=1${cursor}` }))
  },

  async listIssueReports(prober) {
    await forEachId(prober, '/reports', [{}])
    await forEachId(prober, '/reports?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      await walk((cursor) => prober.ask({ path: `/v1/issues/${id}/reports?pageSize=1${cursor}` }))
  },

  async listEvents(prober) {
    const { ask, twin, place, caller, makeIssue } = prober
    const path = `/v1/events?projectId=${place.project.slug}`
    await ask({ path: '/v1/events' })
    for (const type of EVENT_TYPES) await ask({ path: `${path}&type=${type}` })
    const headers = { accept: 'text/event-stream', 'last-event-id': '0' }
    await twin.listen(
      place,
      { path, headers, key: CALLERS[caller](place) },
      {
        async meanwhile() {
          if (twin === twins.hiding) await hideAnother(place)
          return makeIssue({ fingerprint: 'streamed' })
        },
        until: (heard, id) => heard.split('data: ').at(-1)?.includes(id) === true,
      },
    )
    for (const limit of [1, 3]) {
      let after: number | undefined = 0
      while (after !== undefined) {
        const { body }: Answer = await ask({ path: `${path}&limit=${limit}&after=${after}` })
        after = body.hasMore ? body.nextAfter : undefined
      }
    }
  },

  async listProjects({ ask }) {
    await ask({ path: '/v1/projects' })
    await walk((cursor) => ask({ path: `/v1/projects?pageSize=1${cursor}` }))
  },

  async getProject({ ask, place: { project } }) {
    const { headers } = await ask({ path: `/v1/projects/${project.slug}` })
    await ask({ path: `/v1/projects/${project.id}` })
    await ask({
      path: `/v1/projects/${project.slug}`,
      headers: { 'if-none-match': headers.get('etag') ?? '*' },
    })
  },

  async listProjectKeys({ ask, place }) {
    await ask({ path: `/v1/projects/${place.project.slug}/keys` })
  },

  async getProjectStats({ ask, place }) {
    for (const query of ['', '?days=1', '?days=7', '?days=365', '?days=0'])
      await ask({ path: `/v1/projects/${place.project.slug}/stats${query}` })
  },

  async getSdkConfig({ ask }) {
    const { headers } = await ask({ path: '/v1/sdk-config' })
    await ask({ path: '/v1/sdk-config', headers: { 'if-none-match': headers.get('etag') ?? '*' } })
  },

  async checkHealth({ ask }) {
    await ask({ path: '/healthz' })
  },

  async checkReadiness({ ask }) {
    await ask({ path: '/readyz' })
  },

  async submitIssue({ ask, caller, place }) {
    const submit = (body: object, headers = {}) =>
      ask({ method: 'POST', path: '/v1/issues', body: { title: 'Probe', ...body }, headers })
    for (const fingerprint of ['shared', 'moved', 'deleted', 'double']) {
      await submit({ fingerprint })
      await submit({ fingerprint, category: 'crash', ...HIDDEN_VALUES })
    }
    await submit({ category: 'security' })
    await submit({ category: 'security', fingerprint: `probed by ${caller}` })
    await submit({ submissionId: `probed by ${caller}` })
    await submit({ submissionId: `probed by ${caller}`, category: 'security' })
    await submit({ category: 'secret' })
    await ask({
      method: 'POST',
      path: '/v1/issues',
      body: JSON.stringify({ title: 'Zebra', publicKey: place.publicKey }),
      headers: { 'content-type': 'text/plain' },
    })
  },

  async changeIssue(prober) {
    await forEachId(
      prober,
      '',
      CHANGES.map((change) => ({ method: 'PATCH', ...change })),
    )
    const fingerprint = TAKEN_FINGERPRINTS[CALLER_NAMES.indexOf(prober.caller)] ?? ''
    for (const body of [{ fingerprint }, { category: 'crash' }]) {
      const path = `/v1/issues/${await prober.makeIssue(body)}`
      await prober.ask({ method: 'PATCH', path, body: { category: 'security', note: 'Out of my sight' } })
      await prober.ask({ path })
      await prober.ask({ method: 'PATCH', path, body: { category: 'bug' } })
    }
  },

  async deleteIssue(prober) {
    const id = await prober.makeIssue({ fingerprint: `deleted by ${prober.caller}` })
    const hidden = prober.ids.filter((known) => !isVisible(prober, known))
    for (const one of [id, ...hidden]) {
      await prober.ask({ method: 'DELETE', path: `/v1/issues/${one}` })
      await prober.ask({ method: 'DELETE', path: `/v1/issues/${one}`, headers: { 'if-match': '"1"' } })
    }
  },
}

const LIST_QUERIES = [
  '',
  '&pageSize=100',
  '&page=2&pageSize=3',
  '&page=9',
  '&page=200&pageSize=100',
  '&cursor=WyJ4IiwxLDFd',
  ...ISSUE_STATUSES.map((status) => `&status=${status}`),
  ...CATEGORIES.map((category) => `&category=${category}`),
  `&category=${CATEGORIES.join(',')}`,
  '&category=security,bug',
  '&category=security&status=open',
  '&category=security&q=zebra*',
  ...PRIORITIES.map((priority) => `&priority=${priority}`),
  ...Object.entries(HIDDEN_VALUES).map(([name, value]) => `&${name}=${value}`),
  '&platform=ios,secretos',
  '&appVersion=2.4.1,9.9.9&sort=reports',
  '&createdAfter=2026-11-10T00:00:00Z',
  '&createdBefore=2026-11-10T12:00:00Z&category=bug,security',
  ...HIDDEN_WORDS.flatMap((word) => [`&q=${word}`, `&q=${word.slice(0, 3)}*`, `&q=${word}&sort=updated`]),
  '&q="zebra+hole"',
  '&q=%EE%80%80',
  '&q=blank',
  '&q=report&status=open',
  '&q=nothing*+drawn&platform=ios',
  ...ISSUE_SORTS.map((sort) => `&sort=${sort}`),
]

const CHANGES: readonly Pick<Asked, 'body' | 'headers'>[] = [
  { body: {} },
  { body: { note: 'Who are you?' } },
  { body: { status: 'open' } },
  { body: { status: 'resolved' } },
  { body: { status: 'closed' }, headers: { 'if-match': '"1.1.full"' } },
  { body: { priority: 'low' }, headers: { 'if-match': '"99"' } },
  { body: { category: 'bug' }, headers: { 'if-match': '*' } },
  { body: { title: 'Mine', description: null, fixedIn: { appVersion: '1' } } },
  { body: { status: 'lost', category: 'zebra' } },
  { body: 'no JSON' },
]

async function forEachId(prober: Prober, rest: string, asked: readonly Omit<Asked, 'path'>[]): Promise<void> {
  for (const id of prober.ids)
    for (const one of asked) await prober.ask({ ...one, path: `/v1/issues/${id}${rest}` })
}

/** Follows cursors to the end. */
async function walk(ask: (cursor: string) => Promise<Answer>): Promise<void> {
  let next: string | null | undefined = ''
  while (next !== null && next !== undefined) {
    const answer = await ask(next && `&cursor=${next}`)
    next = answer.body?.pagination?.nextCursor
  }
}

const VISIBLE = ['blank', 'successor', 'mistake', 'closed']
const HIDDEN = ['hole', 'moved', 'double', 'deleted', 'moved late', 'new']

/** A security issue that comes while somebody listens. */
async function hideAnother({ publicKey }: Place): Promise<void> {
  const body = { title: 'Zebra', description: 'okapi', category: 'security' }
  await twins.hiding.api.send('POST', '/v1/issues', { key: publicKey, body })
}

/** A place of a twin as one caller finds it. Hidden ids are asked for in both twins; in one they never were. */
function proberFor(twin: Twin, place: Place, caller: CallerName): Prober {
  const ask: Prober['ask'] = (asked) => twin.ask(place, { ...asked, key: CALLERS[caller](place) })
  return {
    twin,
    place,
    caller,
    ask,
    async makeIssue(body) {
      const made = { title: 'Made for a probe', ...body }
      const asked = { method: 'POST', path: '/v1/issues', key: place.publicKey, body: made }
      return (await twin.ask(place, asked)).body.id
    },
    ids: [...VISIBLE.map((name) => twin.idOf(place, name)), ...hiddenIdsIn(place), missingId(place)],
  }
}

function isVisible({ twin, place }: Prober, id: string): boolean {
  return VISIBLE.some((name) => twin.idOf(place, name) === id)
}

function hiddenIdsIn(place: Place): readonly string[] {
  return HIDDEN.map((name) => story.hiddenIds(place).get(name) ?? '')
}

const missingIds = new Map<Place, string>()

function missingId(place: Place): string {
  const id = missingIds.get(place) ?? mintId('iss', place.project.createdAt, ordinalOf(place.project.id))
  missingIds.set(place, id)
  return id
}

let comparisons = 0

/** Probes both twins as one caller, and holds every answer of the one against the other's. */
async function compareTwins(name: string, caller: CallerName): Promise<void> {
  const probe = PROBES[name]
  if (probe === undefined) throw new Error(`say how the lane is checked for ${name}`)
  for (const place of twins.places) {
    twins.align()
    await probe(proberFor(twins.plain, place, caller))
    await probe(proberFor(twins.hiding, place, caller))
    const expected = twins.plain.takeTranscript()
    const found = twins.hiding.takeTranscript()
    expect(expected).not.toHaveLength(0)
    for (const [index, shown] of found.entries()) {
      expect(shown).toEqual(expected[index])
      expect({ shown, tells: tellsOf(place, shown.body) }).toMatchObject({ tells: false })
      comparisons++
    }
    expect(found).toHaveLength(expected.length)
  }
}

/** Whether an answer holds a hidden id or word that was not in the question. */
function tellsOf(place: Place, body: unknown): boolean {
  const { instance: _, ...rest } = Object(body)
  const text = JSON.stringify(rest)
  return (
    [...story.hiddenIds(place).values()].some((id) => text.includes(id)) || /quagga|okapi|ibex/i.test(text)
  )
}

const all = Object.values<Endpoint>(endpoints)
const reading = all.filter(({ method }) => method === 'GET')
const writing = all.filter(({ method }) => method !== 'GET')
const casesOf = (some: readonly Endpoint[]) =>
  some.flatMap(({ name }) => CALLER_NAMES.map((caller) => [name, caller] as const))

describe('without security:read, a project with security issues is like one that never had any', () => {
  it.each(casesOf(reading))('%s by %s', compareTwins)
  it.each(casesOf(writing))('%s by %s', compareTwins)
  it.each(casesOf(reading))('%s by %s, after all that was written', compareTwins)

  it('was compared for every endpoint, often enough to mean something', () => {
    expect(Object.keys(PROBES).sort()).toEqual(all.map(({ name }) => name).sort())
    expect(comparisons).toBeGreaterThan(5_000)
  })
})
