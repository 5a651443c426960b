import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CATEGORIES, ISSUE_STATUSES, PRIORITIES } from '@bugle/contract/vocabulary'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../packages/server/src/cli/demo/random.ts'
import { runBugle } from '../packages/server/test-support/run-bugle.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type Answer, CONNECTIONS, workThrough } from './support/load.ts'
import { ROOT, shellEnvironment, startProcess, type TestProcess } from './support/start-process.ts'
import { type Keys, printedAddress, printedKeys, settingsFor } from './support/start-server.ts'

const REQUESTS = 20_000
const MOVES = 1_000
/** Of one key in a minute: fewer than the secret key sends at once, more than the public one does. */
const SUBMIT_LIMIT = 8_000
const STATS = '/v1/projects/demo/stats'

const folder = temporaryFolder()
const random = createRandom(20)
let server: TestProcess
let pool: Pool
let keys: Keys
/** May read issues and statistics, but neither submit nor see the security lane. */
let readingKey: string

const settings = {
  ...settingsFor(join(folder.path, 'bugle.db')),
  BUGLE_RATE_LIMITS: `submit=${SUBMIT_LIMIT},project=9999999,secret=9999999,anonymous=9999999`,
}

beforeAll(async () => {
  await serve()
  keys = await printedKeys(server)
  const scopes = ['--scope', 'issues:read', '--scope', 'projects:read']
  const made = await runBugle(
    ['key', 'create', '--project', 'demo', '--kind', 'secret', ...scopes, '--json'],
    settings,
  )
  readingKey = JSON.parse(made.stdout).token
})

afterAll(async () => {
  await pool.destroy()
  await server[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function serve(): Promise<void> {
  server = startProcess({
    command: process.execPath,
    args: [join(ROOT, 'packages/server/bin/bugle.js'), 'serve'],
    environment: { ...shellEnvironment(), ...settings, BUGLE_LOG_LEVEL: 'warn' },
  })
  pool = new Pool(await printedAddress(server), { connections: CONNECTIONS })
}

test('the ledger of intake is what a counting client saw, and statistics are a recount', {
  timeout: 60_000,
}, async () => {
  const submissions = Array.from({ length: REQUESTS }, makeSubmission)
  const seen = new Map<string, number>()
  await workThrough(submissions, async (submission) => {
    const outcome = outcomeOf(await send({ method: 'POST', path: '/v1/issues', ...submission }))
    if (submission.isOfProject) seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  })
  const { stored = 0, joined = 0, replayed = 0, limited = 0, ...refused } = Object.fromEntries(seen)
  const received = submissions.filter(({ isOfProject }) => isOfProject).length
  const expected = { received, stored, joined, replayed, refused, limited }
  expect(Object.keys(refused).sort()).toEqual(REFUSALS)
  expect(Math.min(stored, joined, replayed, limited, ...Object.values(refused))).toBeGreaterThan(50)
  expect(await intakeOnceItHas(received)).toEqual(expected)

  const issues = await listAll(keys.secretKey)
  expect(issues).toHaveLength(stored)
  await expectRecount(keys.secretKey, [])
  await expectRecount(readingKey, [])

  const moves = await workThrough(Array(MOVES).fill(0), () => moveOne(random.pick(issues)))
  await expectRecount(keys.secretKey, moves)
  await expectRecount(readingKey, moves)
  expect(await intakeOnceItHas(received)).toEqual(expected)
})

test('the ledger has everything after a restart, also what was refused a moment before', async () => {
  const { intake } = await get(STATS, keys.secretKey)
  const refused = await workThrough(Array(20).fill(raw('{}', keys.publicKey)), (submission) =>
    send({ method: 'POST', path: '/v1/issues', ...submission }),
  )
  expect(refused.map(outcomeOf)).toEqual(Array(20).fill('validation-failed'))
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  await pool.destroy()
  await serve()
  expect((await get(STATS, keys.secretKey)).intake).toEqual({
    ...intake,
    received: intake.received + 20,
    refused: { ...intake.refused, 'validation-failed': intake.refused['validation-failed'] + 20 },
  })
})

interface Submission {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether it has a key that is valid: others belong to no project. */
  readonly isOfProject: boolean
}

const REFUSALS = [
  'content-too-large',
  'insufficient-scope',
  'invalid-parameter',
  'malformed-body',
  'secret-key-in-browser',
  'submission-conflict',
  'unsupported-media-type',
  'validation-failed',
]

/** Submissions that had a name, to be sent again. */
const named: { readonly submissionId: string; readonly title: string }[] = []

function makeSubmission(): Submission {
  const key = random.chance(0.75) ? keys.secretKey : keys.publicKey
  const report = makeReport()
  const json = (body: object, headers: Record<string, string> = {}) => ({
    ...raw(JSON.stringify(body), key),
    headers: { ...jsonWith(key), ...headers },
  })
  const kind = random.pickWeighted(KINDS)
  const earlier = named.length > 0 ? random.pick(named) : undefined
  switch (kind) {
    case 'named': {
      const submission = { ...report, submissionId: randomUUID() }
      named.push(submission)
      return json(submission)
    }
    case 'grouped':
      return json({ ...report, fingerprint: `f${random.integer(1, 300)}` })
    case 'replayed':
      return json(earlier ?? report)
    case 'replayed by header': {
      const { submissionId = randomUUID(), ...rest } = earlier ?? { ...report, submissionId: undefined }
      return json(rest, { 'idempotency-key': `"${submissionId}"` })
    }
    case 'conflicting':
      return json({ ...earlier, title: 'Something else' })
    case 'invalid':
      return json(
        random.pick([{ ...report, title: ' ' }, { ...report, titel: 'x' }, [report], { ...report, id: 1 }]),
      )
    case 'two names':
      return json({ ...report, submissionId: 'one' }, { 'idempotency-key': 'other' })
    case 'bad name':
      return json(report, { 'idempotency-key': 'x'.repeat(129) })
    case 'malformed':
      return raw(random.pick(['{"title": ', '', 'title=Blank', '\0']), key)
    case 'too large':
      return json({ ...report, description: 'x'.repeat(300_000) })
    case 'wrong type':
      return json(report, { 'content-type': 'application/xml' })
    case 'encoded':
      return json(report, { 'content-encoding': 'gzip' })
    case 'from a page':
      return {
        ...raw(JSON.stringify(report), keys.secretKey),
        headers: { ...jsonWith(keys.secretKey), origin: 'https://app.example' },
      }
    case 'unscoped':
      return raw(JSON.stringify(report), readingKey)
    case 'from a form':
      return { ...form({ ...report, publicKey: keys.publicKey }), isOfProject: true }
    case 'bad from a form':
      return { ...form({ ...report, category: 'meltdown', publicKey: keys.publicKey }), isOfProject: true }
    case 'form without key':
      return { ...form(report), isOfProject: false }
    case 'wrong key':
      return { ...raw(JSON.stringify(report), `${key.slice(0, -1)}_`), isOfProject: false }
    default:
      return json(report)
  }
}

const KINDS = {
  ...{
    plain: 30,
    named: 12,
    grouped: 16,
    replayed: 8,
    'replayed by header': 4,
    conflicting: 4,
    'from a form': 4,
  },
  ...{ invalid: 5, 'two names': 2, 'bad name': 2, malformed: 4, 'too large': 1, 'wrong type': 2, encoded: 1 },
  ...{ unscoped: 2, 'from a page': 1, 'bad from a form': 1, 'form without key': 1, 'wrong key': 0.1 },
}

function makeReport() {
  return {
    title: `Report ${random.integer(1, 1_000_000)}`,
    category: random.pickWeighted({ bug: 6, crash: 2, performance: 1, ui_ux: 1, security: 2 }),
    priority: random.pick(PRIORITIES),
    platform: random.pick(['ios', 'Android', 'web', null]),
    appVersion: random.chance(0.2) ? null : `1.${Math.floor(random.fraction() ** 2 * 40)}`,
  }
}

function raw(body: string, key: string): Submission {
  return { headers: jsonWith(key), body, isOfProject: true }
}

function form(body: object): Pick<Submission, 'headers' | 'body'> {
  return { headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: JSON.stringify(body) }
}

function jsonWith(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}

interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

async function send({ method, path, headers, body }: Sent): Promise<Answer> {
  const answer = await pool.request({ method, path, headers, body: body ?? null })
  return { status: answer.statusCode, headers: answer.headers, body: await answer.body.json() }
}

/** What a client can tell of a submission from its answer. */
function outcomeOf({ status, headers, body }: Answer): string {
  if (status === 429) return 'limited'
  if (status >= 400) return body.code
  if (headers['idempotency-replayed'] === 'true') return 'replayed'
  return status === 201 ? 'stored' : 'joined'
}

async function get(path: string, key: string): Promise<Answer['body']> {
  const { status, body } = await send({ method: 'GET', path, headers: jsonWith(key) })
  expect(status).toBe(200)
  return body
}

/** Refusals are written down every second. */
async function intakeOnceItHas(received: number): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const { intake } = await get(STATS, keys.secretKey)
    if (intake.received === received || tries === 10) return intake
    await sleep(300)
  }
}

interface Item {
  readonly id: string
  readonly status: string
  readonly category: string
  readonly priority: string
  readonly platform: string | null
  readonly appVersion: string | null
  readonly reportCount: number
}

async function listAll(key: string): Promise<readonly Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await get(`/v1/issues?pageSize=100${cursor && `&cursor=${cursor}`}`, key)
    items.push(...page.data)
    cursor = page.pagination.nextCursor
  }
  return items
}

/** What a move made of an issue; `undefined` where it was refused. */
type Move = { readonly id: string; readonly to: string } | undefined

async function moveOne({ id }: Item): Promise<Move> {
  const to = random.pick(ISSUE_STATUSES)
  const patch = {
    status: to,
    ...(random.chance(0.3) && { category: random.pick(CATEGORIES) }),
    ...(random.chance(0.3) && { priority: random.pick(PRIORITIES) }),
  }
  const { status } = await send({
    method: 'PATCH',
    path: `/v1/issues/${id}`,
    headers: jsonWith(keys.secretKey),
    body: JSON.stringify(patch),
  })
  expect([200, 409]).toContain(status)
  return status === 200 ? { id, to } : undefined
}

/** The statistics that a key reads are those of the issues that it lists. */
async function expectRecount(key: string, moves: readonly Move[]): Promise<void> {
  const items = await listAll(key)
  const visible = new Set(items.map(({ id }) => id))
  const idsThat = (is: (to: string) => boolean) =>
    new Set(moves.flatMap((move) => (move && visible.has(move.id) && is(move.to) ? [move.id] : []))).size
  const stats = await get(STATS, key)
  const byAppVersion = ranked(items.map(({ appVersion }) => appVersion))
  const resolved = idsThat((to) => to === 'resolved')
  expect(stats).toMatchObject({
    totals: {
      issues: items.length,
      reports: items.reduce((sum, { reportCount }) => sum + reportCount, 0),
      open: items.filter(({ status }) => status === 'open').length,
    },
    byStatus: countsOf(
      ISSUE_STATUSES,
      items.map(({ status }) => status),
    ),
    byCategory: countsOf(
      CATEGORIES,
      items.map(({ category }) => category),
    ),
    byPriority: countsOf(
      PRIORITIES,
      items.map(({ priority }) => priority),
    ),
    byPlatform: ranked(items.map(({ platform }) => platform)),
    byAppVersion: byAppVersion.slice(0, 10),
    timeToAcknowledge: { count: idsThat((to) => to !== 'open') },
    timeToResolve: { count: resolved },
  })
  const inSeries = (member: 'created' | 'resolved' | 'reports') =>
    stats.series.reduce((sum: number, day: Record<typeof member, number>) => sum + day[member], 0)
  expect(['created', 'resolved', 'reports'].map((member) => inSeries(member as 'created'))).toEqual([
    items.length,
    resolved,
    stats.totals.reports,
  ])
}

function countsOf(names: readonly string[], values: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, values.filter((value) => value === name).length]))
}

/** Most frequent first, then by name. */
function ranked(values: readonly (string | null)[]) {
  const counts = Map.groupBy(
    values.filter((value) => value !== null),
    (value) => value,
  )
  return [...counts]
    .map(([value, { length: count }]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}
