import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createRandom } from '../packages/server/src/demo/random.ts'
import { startPostgres } from '../packages/server/test-support/start-postgres.ts'
import type { Dataset } from './datasets.ts'
import { startDriver } from './driver.ts'
import { measureRound } from './measure.ts'
import { backendMicros, urlOf } from './postgres-datasets.ts'
import { someReport } from './reports.ts'
import { LIST, RETRIEVE, SCENARIOS, type Scenario, SEARCH, STATISTICS, TEAM_PAGE } from './scenarios.ts'
import { type BenchServer, COMMAND_SOURCE, startCheckout } from './servers.ts'

/** `node bench/compare.ts FOLDER`: the CPU time of submissions and reads here, compared with another checkout. */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    postgres: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '10' },
    ms: { type: 'string', default: '3000' },
    only: { type: 'string', default: '' },
  },
})
const [other] = positionals
if (other === undefined) throw new Error('usage: node bench/compare.ts FOLDER [--postgres] [--only TEXT]')
const CHECKOUTS = { before: resolve(other), now: resolve(import.meta.dirname, '..') }
type Side = keyof typeof CHECKOUTS
const SIDES: readonly Side[] = ['before', 'now']
/** What is compared besides submissions: each request of these kinds reads the database. */
const READS: readonly string[] = [RETRIEVE, LIST, TEAM_PAGE, SEARCH, STATISTICS]
/** The issues that are read. */
const READ_ISSUES = 5_000
/** Node compiles most of its optimised code in the first ten seconds; until then, equal servers differ by up to 10 %. */
const WARM_UP_MS = 10_000
/** Fingerprints that reports share. */
const FINGERPRINTS = Array.from({ length: 500 }, (_, index) => `crash-${index}`)

const folder = mkdtempSync(join(tmpdir(), 'bugle-compare-'))
const server = options.postgres ? await startPostgres() : null
try {
  await using driver = startDriver()
  const isCompared = (name: string) => name.startsWith('submit') || READS.includes(name)
  const scenarios = SCENARIOS.filter(({ name }) => isCompared(name) && name.includes(options.only))
  for (const [index, scenario] of scenarios.entries()) await compare(scenario, index, driver)
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare(scenario: Scenario, index: number, driver: ReturnType<typeof startDriver>) {
  const sides = {
    before: await prepareSide('before', index, scenario.writes),
    now: await prepareSide('now', index, scenario.writes),
  }
  const figures = { before: [] as number[], now: [] as number[] }
  const parts = { before: [] as number[], now: [] as number[] }
  const { connections, status } = scenario
  // Two processes of the same program differ by up to 20 %, and the one started later takes a few per cent more, so
  // every round starts new processes, in alternating order.
  for (let round = 0; round < Number(options.rounds); round++) {
    const order = round % 2 === 0 ? SIDES : SIDES.toReversed()
    await using started = new AsyncDisposableStack()
    const servers = new Map<Side, BenchServer>()
    for (const name of order)
      servers.set(name, started.use(await startCheckout(CHECKOUTS[name], sides[name].url)))
    for (const isWarmUp of [true, false]) {
      for (const [name, bugle] of servers) {
        const { dataset, databaseMicros } = sides[name]
        const requests = await scenario.requests({ dataset, url: bugle.url })
        const durationMs = isWarmUp ? WARM_UP_MS : Number(options.ms)
        const usedBefore = databaseMicros()
        const measured = await measureRound(bugle, driver, { connections, requests, status, durationMs })
        const ofDatabase = (databaseMicros() - usedBefore) / measured.requests
        if (isWarmUp) continue
        figures[name].push(measured.cpuMicros + ofDatabase)
        parts[name].push(ofDatabase)
      }
    }
  }
  const [one, two] = [mean(figures.before), mean(figures.now)]
  process.stdout.write(
    `${scenario.name}: ${one.toFixed(0)} µs before, ${two.toFixed(0)} µs now, ${(two / one).toFixed(3)} ×; of which the database ${mean(parts.before).toFixed(0)} and ${mean(parts.now).toFixed(0)} µs\n`,
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** A new database of one checkout, filled if the scenario reads. */
async function prepareSide(name: Side, index: number, isEmpty: boolean) {
  const databaseName = `${name}_${index}`
  if (server !== null) await createDatabase(server.url, databaseName)
  const url =
    server === null ? `sqlite:${join(folder, `${databaseName}.db`)}` : urlOf(server.url, databaseName)
  const run = (...args: readonly string[]) => {
    const env = { PATH: process.env['PATH'], BUGLE_DATABASE_URL: url }
    const command = [join(CHECKOUTS[name], COMMAND_SOURCE), ...args, '--json']
    return JSON.parse(execFileSync(process.execPath, command, { env, encoding: 'utf8' }))
  }
  run('migrate')
  run('project', 'create', '--name', 'Bench', '--slug', 'bench')
  const { token: publicToken } = run('key', 'create', '--project', 'bench', '--kind', 'public')
  const { project, token: teamToken } = run(
    ...'key create --project bench --kind secret --scope issues:read'.split(' '),
  )
  const scopes = ['issues:read', 'security:read', 'projects:read'].flatMap((scope) => ['--scope', scope])
  const { token: secretToken } = run('key', 'create', '--project', 'bench', '--kind', 'secret', ...scopes)
  const keys = { projectId: project, slug: 'bench', publicToken, secretToken, teamToken }
  const issues = isEmpty ? { size: 0, issueIds: [], cursors: [] } : await fill(CHECKOUTS[name], url, keys)
  const used = new Map<string, number>()
  return {
    url,
    dataset: { ...keys, ...issues, fingerprints: FINGERPRINTS } satisfies Dataset,
    databaseMicros: () => (server === null ? 0 : backendMicros(databaseName, used)),
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
}

/** Submits the issues that are read, and returns some of them. */
async function fill(
  checkout: string,
  databaseUrl: string,
  { publicToken, secretToken }: Pick<Dataset, 'publicToken' | 'secretToken'>,
): Promise<Pick<Dataset, 'size' | 'issueIds' | 'cursors'>> {
  await using bugle = await startCheckout(checkout, databaseUrl)
  const random = createRandom(1)
  const call = async (path: string, token: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(
      `${bugle.url}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { data: { id: string }[]; pagination: { nextCursor: string | null } }
  }
  for (let first = 0; first < READ_ISSUES; first += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        call('/v1/issues', publicToken, someReport(random, `filled-${first + index}`.padEnd(16, '.'))),
      ),
    )
  const issueIds: string[] = []
  const cursors: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof call>> = await call(
      `/v1/issues?pageSize=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
      secretToken,
    )
    issueIds.push(...page.data.map(({ id }) => id))
    cursor = page.pagination.nextCursor
    if (cursor !== null) cursors.push(cursor)
  }
  return { size: READ_ISSUES, issueIds, cursors }
}
