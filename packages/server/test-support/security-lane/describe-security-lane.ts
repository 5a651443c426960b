import { isDeepStrictEqual } from 'node:util'
import { type Endpoint, endpoints } from '@bugle/contract'
import { settingsEndpoints } from '@bugle/contract/settings'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintId, projectNumberOf } from '../../src/model/ids.ts'
import { toBytes } from '../shown-answer.ts'
import { type Receiver, startReceiver } from '../start-receiver.ts'
import { CHANGES } from './probes/issues.ts'
import { HIDDEN, type Prober, VISIBLE } from './probes/prober.ts'
import { addTeamWebhooks, settleDeliveries } from './probes/webhooks.ts'
import { ENDPOINTS, PROBES, READING, TELLING, WRITING } from './probes.ts'
import { type Story, TAKEN_FINGERPRINTS, tellStory } from './story.ts'
import { type Place, startTwins, type Twin, type Twins } from './twins.ts'

let twins: Twins
let story: Story
let untouched: unknown
let receiver: Receiver
let isLongRun: boolean

/** The callers who must not see the lane. */
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
/** If callers take turns, each endpoint is requested by this one, and by one of the others. */
const MAIN_CALLER: BlindCaller = 'a secret key with every other scope'
/** Lists are read page by page, because the end of a page could reveal a hidden issue. Pages of two take long: only the long run uses them. */
const PAGE_SIZES = { ofMainCaller: 2, ofOthers: 7 }
const OTHER_CALLERS: readonly BlindCaller[] = ['an admin', 'a public key', 'nobody']

/** What admins, and people on their profile page, read. */
const SETTINGS = Object.values<Endpoint>(settingsEndpoints).filter(({ method }) => method === 'GET')

/** Ids and times of what both apps did for themselves, cursors, which contain such ids, and when keys were last used, which is stored from time to time. */
function withoutChance(text: string): string {
  return (
    text
      .replaceAll(/\b(aud|whk|pat)_[0-9a-z]{26}/g, '$1')
      .replaceAll(/"(at|createdAt|lastUsedAt|nextCursor)":(?:"[^"]*"|null)/g, '"$1":"…"')
      // Gaps in the numbers are an accepted side channel.
      .replaceAll(/"issueNumber":\d+/g, '"issueNumber":…')
  )
}

/** A page with the numbers of issues, which have accepted gaps, has another tag. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/#\d+|(?<=(?:issue|known)-)\d+|(?<="etag":)"(?:[^"\\]|\\.)*"/g, '…')
}

export interface LaneEffort {
  readonly everyCaller: boolean
  readonly everyProject: boolean
}

const casesOf = (some: readonly Endpoint[], callersOf: (index: number) => readonly BlindCaller[]) =>
  some.flatMap(({ name }, index) => callersOf(index).map((caller) => [name, caller] as const))

/**
 * Two apps that differ only in their security issues give the same responses to every caller who must not see
 * those. Every request is made by every caller, or the callers take turns; in both a private and a public project, or in
 * each of them in turn.
 */
export function describeSecurityLane({ everyCaller, everyProject }: LaneEffort): void {
  const callers = everyCaller ? BLIND : [MAIN_CALLER, ...OTHER_CALLERS]
  // Roles below admin are only tested for reading.
  const writers = callers.filter((caller) => caller !== 'a viewer' && caller !== 'a triager')
  const few = (index: number) => [
    MAIN_CALLER,
    ...OTHER_CALLERS.filter((_, turn) => turn === index % OTHER_CALLERS.length),
  ]
  const readersOf = everyCaller ? () => BLIND : few
  const writersOf = everyCaller ? () => writers : few
  let comparisons = 0
  const turns = new Map<string, number>()

  /** Callers request each endpoint in turn, alternating between the two projects. */
  function placesFor(name: string): readonly Place[] {
    if (everyProject) return twins.places
    const turn = turns.get(name) ?? ENDPOINTS.findIndex((endpoint) => endpoint.name === name)
    turns.set(name, turn + 1)
    return twins.places.filter((_, index) => index === turn % twins.places.length)
  }

  beforeAll(async () => {
    isLongRun = everyCaller
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

  it('has two accepted side channels: gaps in the numbers, and totals of the intake', async () => {
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

  it.each(SETTINGS.map((endpoint) => [endpoint.name, endpoint] as const))(
    'leaves no trace in the settings of an admin without the right: %s',
    async (_, { path }) => {
      const person = twins.people.blind
      for (const { project } of twins.places) {
        const read = async ({ api }: Twin, key: string) => {
          const query = path === '/admin/audit-log' ? '?pageSize=100' : ''
          const place = path.replace('{idOrSlug}', project.slug).replace('{id}', person)
          const { status, text } = await api.send('GET', place + query, { key })
          return { status, text: withoutChance(text) }
        }
        const { admin } = twins.keys.blindPeople
        const found = await read(twins.hiding, admin)
        expect(found).toEqual(await read(twins.plain, admin))
        expect(found.status).toBe(200)
      }
    },
  )

  describe('without security:read, a project with security issues is like one that never had any', () => {
    const compare = async (name: string, caller: BlindCaller) => {
      for (const place of placesFor(name)) {
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

    it.each(casesOf(READING, readersOf))('%s by %s', compare)
    it.each(casesOf(WRITING, writersOf))('%s by %s', compare)
    it.each(casesOf(READING, () => [MAIN_CALLER, 'nobody']))('%s by %s, repeated after all writes', compare)

    it('and no request has changed a hidden issue', async () => {
      expect(await readHidden()).toEqual(untouched)
    })

    it('which was compared often enough to be meaningful', () => {
      expect(comparisons).toBeGreaterThan((everyProject ? 1_600 : 800) * (everyCaller ? 2 : 1))
    })

    it.each(TELLING)(
      'which the probes of %s would detect: with security:read they find the issues',
      async (name) => {
        for (const place of placesFor(name)) {
          const { differing } = await probeBoth(name, place, 'the team', place.teamKey)
          expect(differing).not.toHaveLength(0)
        }
      },
    )
  })

  it.each(callers)('leaves no trace on the page of a project: %s', async (caller) => {
    for (const place of twins.places) {
      twins.align()
      const read = async (twin: Twin) => {
        const key = BLIND_CALLERS[caller](place)
        const { status } = await twin.ask(place, { path: `/p/${place.project.slug}`, key })
        return { status, shown: withoutNumbers(JSON.stringify(twin.takeTranscript())) }
      }
      const found = await read(twins.hiding)
      expect(found).toEqual(await read(twins.plain))
      expect(found.status).toBe(place.project.isPublic ? 200 : 404)
      expect(tellsOf(place, found.shown)).toBe(false)
    }
  })

  describe('a hidden id gives the same response as one that never existed, byte for byte', () => {
    const byId = ENDPOINTS.filter(({ path }) => path.includes('{id}'))

    it.each(casesOf(byId, writersOf))('%s by %s', async (name, caller) => {
      const { method, path } = byId.find((endpoint) => endpoint.name === name) ?? {}
      const requests =
        method === 'PATCH' ? CHANGES : [{}, { headers: { 'if-none-match': '*', 'if-match': '*' } }]
      for (const place of placesFor(name)) {
        const key = BLIND_CALLERS[caller](place)
        const ask = async (id: string) => {
          const answers: string[] = []
          for (const request of requests) {
            const asked = {
              ...request,
              path: path?.replace('{id}', id) ?? '',
              key,
              ...(method && { method }),
            }
            answers.push(toBytes(await twins.hiding.ask(place, asked), id))
          }
          return answers
        }
        const isFile = name === endpoints.downloadAttachment.name
        const files = [story.hiddenFile(place), story.hiddenCommentFile(place)]
        const hiddenOnes = isFile ? files : hiddenIdsOf(place, HIDDEN)
        const missing = await ask(missingId(place, isFile ? 'att' : 'iss'))
        for (const hidden of hiddenOnes) expect(await ask(hidden)).toEqual(missing)
      }
      twins.hiding.takeTranscript()
    })
  })

  it.each(writers)(
    'a hidden number gives the same response as one that never existed, byte for byte: %s',
    async (caller) => {
      for (const place of twins.places) {
        const ask = async (number: number) => {
          const path = `/v1/projects/${place.project.slug}/issues/${number}`
          const answer = await twins.hiding.ask(place, { path, key: BLIND_CALLERS[caller](place) })
          return toBytes(answer, `/issues/${number}`)
        }
        const missing = await ask(NO_NUMBER)
        for (const hidden of hiddenNumbersOf(place)) expect(await ask(hidden)).toEqual(missing)
      }
      twins.hiding.takeTranscript()
    },
  )
}

/** Sends the same requests to both twins, as one caller. */
async function probeBoth(name: string, place: Place, caller: string, key: string | undefined) {
  const probe = PROBES[name]
  if (probe === undefined) throw new Error(`say how the lane is checked for ${name}, in security-lane/probes`)
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

/** A twin as one caller sees it. Hidden ids are requested in both; in one of them they never existed. */
function proberFor(twin: Twin, place: Place, caller: string, key: string | undefined): Prober {
  const submit = async (body: object) => {
    const made = { title: 'Made for a probe', ...body }
    const asked = { method: 'POST', path: '/v1/issues', key: place.publicKey, body: made } as const
    return (await twin.ask(place, asked)).body
  }
  return {
    place,
    caller,
    ids: [...VISIBLE.map((name) => twin.idOf(place, name)), ...hiddenIdsOf(place, HIDDEN), missingId(place)],
    numbers: [
      ...VISIBLE.map((name) => twin.numberOf(place, name)),
      ...hiddenNumbersOf(place).map((number, index) => (twin === twins.hiding ? number : NO_NUMBER + index)),
      NO_NUMBER,
    ],
    people: twins.people,
    files: [
      twin.idOf(place, 'file'),
      story.hiddenFile(place),
      story.hiddenCommentFile(place),
      missingId(place, 'att'),
    ],
    sharedView: story.hiddenView(place),
    pageSize: isLongRun && caller === MAIN_CALLER ? PAGE_SIZES.ofMainCaller : PAGE_SIZES.ofOthers,
    takenFingerprint: TAKEN_FINGERPRINTS[(BLIND as readonly string[]).indexOf(caller)] ?? '',
    ask: (asked) => twin.ask(place, { ...asked, key }),
    listen: (asked) =>
      twin.listen(place, { ...asked, key }, async () => {
        if (twin === twins.hiding) await hideAnother(place)
        return (await submit({ fingerprint: 'streamed' })).createdAt
      }),
    async makeIssue(body) {
      const { id } = await submit(body)
      // Whether it is delivered must not depend on how soon it is changed.
      await settleDeliveries(twin)
      return id
    },
    webhooks: {
      open: twin.idOf(place, 'webhook open'),
      full: twin.idOf(place, 'webhook full'),
      missing: missingId(place, 'whk'),
    },
    receiverUrl: receiver.url,
    settle: () => settleDeliveries(twin),
  }
}

/** A security issue that arrives while a client is listening. */
async function hideAnother({ publicKey }: Place): Promise<void> {
  const body = { title: 'Zebra', description: 'okapi', category: 'security' }
  await twins.hiding.api.send('POST', '/v1/issues', { key: publicKey, body })
}

function hiddenIdsOf(place: Place, names: readonly string[]): readonly string[] {
  return names.map((name) => story.hiddenIds(place).get(name) ?? '')
}

/** A number that no issue has. */
const NO_NUMBER = 1_000_000

function hiddenNumbersOf(place: Place): readonly number[] {
  return HIDDEN.map((name) => story.hiddenNumbers(place).get(name) ?? 0)
}

const missingIds = new Map<string, string>()

function missingId({ project }: Place, prefix: 'iss' | 'whk' | 'att' = 'iss'): string {
  const known = missingIds.get(`${prefix} ${project.id}`)
  const id = known ?? mintId(prefix, project.createdAt, projectNumberOf(project.id))
  missingIds.set(`${prefix} ${project.id}`, id)
  return id
}

/** Whether a response contains a hidden id or word that was not in the request. */
function tellsOf(place: Place, body: unknown): boolean {
  const { instance: _, ...rest } = Object(body)
  const text = JSON.stringify(rest)
  const ids = [
    ...story.hiddenIds(place).values(),
    ...[story.hiddenFile(place), story.hiddenCommentFile(place), story.hiddenView(place)],
  ]
  const isNamed = ids.some((id) => text.includes(id))
  return isNamed || /quagga|okapi|ibex/i.test(text)
}

/** The hidden issues with their histories, as the team sees them. */
async function readHidden(): Promise<unknown> {
  const paths = twins.places.flatMap((place) =>
    [...story.hiddenIds(place).values()].flatMap((id) =>
      ['', '/events', '/reports', '/attachments'].map((rest) => ({
        key: place.teamKey,
        path: `/v1/issues/${id}${rest}`,
      })),
    ),
  )
  return Promise.all(
    paths.map(async ({ key, path }) => {
      const { status, body } = await twins.hiding.api.send('GET', path, { key })
      return status === 200 ? body : status
    }),
  )
}
