import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CATEGORIES, ISSUE_STATUSES, PRIORITIES } from '@bugle/contract/vocabulary'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../packages/server/src/demo/random.ts'
import { runBugle } from '../packages/server/test-support/run-bugle.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { createSubmissions, jsonWith, REFUSALS, raw, type Submission } from './support/intake-submissions.ts'
import { type Answer, CONNECTIONS, workThrough } from './support/load.ts'
import { ROOT, shellEnvironment, startProcess, type TestProcess } from './support/start-process.ts'
import { type Keys, printedAddress, printedKeys, settingsFor } from './support/start-server.ts'

const REQUESTS = 20_000
const MOVES = REQUESTS / 20
/** For one key in a minute: fewer than the secret key sends at once, more than the public one does. */
const SUBMIT_LIMIT = 0.33 * REQUESTS
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

test('the intake ledger matches the counts of a client, and statistics match a recount', {
  timeout: 900_000,
}, async () => {
  const submissions = Array.from({ length: REQUESTS }, createSubmissions(random, keys, readingKey))
  const seen = new Map<string, number>()
  const began = performance.now()
  await workThrough(submissions, async (submission) => {
    const outcome = outcomeOf(await send({ method: 'POST', path: '/v1/issues', ...submission }))
    if (submission.isOfProject) seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  })
  const ended = performance.now()
  const { stored = 0, joined = 0, replayed = 0, limited = 0, ...refused } = Object.fromEntries(seen)
  const received = submissions.filter(({ isOfProject }) => isOfProject).length
  const expected = { received, stored, joined, replayed, refused, limited, skipped: {} }
  expect(Object.keys(refused).sort()).toEqual(REFUSALS)
  expect(Math.min(stored, joined, replayed, ...Object.values(refused))).toBeGreaterThan(REQUESTS / 400)
  // A very slow machine does not reach the limit, which grows back while it sends.
  const allowed = SUBMIT_LIMIT * (1 + (ended - began) / 60_000)
  if (sentWith(keys.secretKey, submissions) - allowed > REQUESTS / 10)
    expect(limited).toBeGreaterThan(REQUESTS / 400)
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

test('the ledger is complete after a restart, including the last refusals', async () => {
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

function sentWith(key: string, submissions: readonly Submission[]): number {
  return submissions.filter(({ headers }) => headers['authorization'] === `Bearer ${key}`).length
}

/** The outcome of a submission, according to its response. */
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

/** Refusals are stored every second. */
async function intakeOnceItHas(received: number): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const { intake } = await get(STATS, keys.secretKey)
    if (intake.received === received || tries === 100) return intake
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

/** An issue after a status change; `undefined` if it was refused. */
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

/** The statistics that a key reads match the issues that it lists. */
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
