import { parseArgs } from 'node:util'
import type { DatasetStore } from '../../bench/datasets.ts'
import { buildBugle } from '../../bench/servers.ts'
import { openSqliteDatasets } from '../../bench/sqlite-datasets.ts'
import { printable } from '../../packages/server/src/cli/terminal/printable.ts'
import { MAX_PENDING_DELIVERIES } from '../../packages/server/src/model/decisions/plan-fan-out.ts'
import { FULL_EFFORT } from './measure.ts'
import { type NeighbourPlan, type NeighbourResult, runNeighbours } from './neighbours/run-neighbours.ts'
import { LIMITS, type Plan, type Result, runCost } from './run-cost.ts'

const NAME_WIDTH = 64
const SHOWN_NAME_CHARS = 400

const TABLES = ['requests', 'neighbours']
/** Each run sends this many requests of the victim without the neighbour, and as many beside it: five seconds each. */
const VICTIM_REQUESTS = 100

/**
 * `npm run test:cost`: what the most expensive requests of every endpoint cost, and how long a victim waits while a neighbour
 * holds everything it can, on both databases.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    table: { type: 'string', multiple: true, default: TABLES },
    issues: { type: 'string', default: '200000' },
    searches: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: [] },
  },
})
const [issues, searches, seed, runs] = [options.issues, options.searches, options.seed, options.runs].map(
  Number,
)
if (!isCount(issues) || !isCount(searches) || !isCount(seed) || !isCount(runs)) {
  process.stderr.write('test:cost: --issues, --searches, --seed and --runs must be whole numbers\n')
  process.exit(2)
}
if (!options.table.every((table) => TABLES.includes(table))) {
  process.stderr.write(`test:cost: --table must be ${TABLES.join(' or ')}\n`)
  process.exit(2)
}

// By default a signal would end this process without its `exit` event, and leave the server behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

process.stderr.write('building the server\n')
await buildBugle()
const results: (Result | NeighbourResult)[] = []
for (const database of options.database) {
  await using store = await openDatasets(database)
  if (options.table.includes('requests'))
    results.push(...(await measureRequests(store, { issues, searches, seed })))
  if (options.table.includes('neighbours'))
    results.push(...(await measureNeighbours(store, { issues, runs })))
}
const failed = results.filter(({ verdict }) => verdict === 'TOO MUCH').length
process.stdout.write(`\n${results.length - failed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1

function measureRequests(
  store: DatasetStore,
  { issues, searches, seed }: Pick<Plan, 'issues' | 'searches' | 'seed'>,
): Promise<readonly Result[]> {
  process.stdout.write(
    `\n${store.name}, ${issues.toLocaleString('en')} issues: ≤ ${LIMITS.cpuMs} ms of CPU, ≤ ${LIMITS.stallMs} ms in one turn of the event loop, ≤ ${LIMITS.besideMs} ms (p99) for submissions beside\n\n`,
  )
  process.stdout.write(`${row('REQUEST', 'CPU', 'STALL', 'BESIDE', 'IDLE', '')}\n`)
  return runCost(store, {
    limits: LIMITS,
    effort: FULL_EFFORT,
    issues,
    searches,
    seed,
    only: options.only,
    noisyReports: Math.ceil(issues / 10),
    noisyIssues: 5,
    pendingDeliveries: MAX_PENDING_DELIVERIES,
    onStep: (step) => process.stderr.write(`${step}\n`),
    onResult: (result) => process.stdout.write(`${rowOf(result)}\n`),
  })
}

function measureNeighbours(
  store: DatasetStore,
  { issues, runs }: Pick<NeighbourPlan, 'issues' | 'runs'>,
): Promise<readonly NeighbourResult[]> {
  process.stdout.write(
    `\n${store.name}: a victim that sends 20 requests a second, beside a neighbour that holds everything it can: median of ${runs} runs, p50 ≤ 3 × quiet, p99 ≤ 5 × quiet or 400 ms, nothing refused, nothing dropped\n\n`,
  )
  const columns = ['QUIET p50', 'p99', 'BESIDE p50', 'p99', 'REFUSED', 'DROPPED']
  process.stdout.write(`${['NEIGHBOUR'.padEnd(20), ...columns.map((name) => name.padStart(10))].join(' ')}\n`)
  return runNeighbours(store, {
    issues,
    runs,
    requests: VICTIM_REQUESTS,
    only: options.only,
    onStep: (step) => process.stderr.write(`${step}\n`),
    onResult: (result) => process.stdout.write(`${neighbourRowOf(result)}\n`),
  })
}

function neighbourRowOf({ name, quiet, beside, refused, dropped, verdict }: NeighbourResult): string {
  const figures = [quiet.p50, quiet.p99, beside.p50, beside.p99].map((ms) => ms.toFixed(1).padStart(10))
  const counts = [refused, dropped].map((count) => String(count).padStart(10))
  return [name.padEnd(20), ...figures, ...counts, ` ${verdict}`].join(' ')
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0
}

async function openDatasets(database: string): Promise<DatasetStore> {
  if (database === 'sqlite') return openSqliteDatasets()
  const { openPostgresDatasets } = await import('../../bench/postgres-datasets.ts')
  return openPostgresDatasets()
}

function rowOf({ name, cpuMs, stallMs, besideMs, baselineMs, verdict }: Result): string {
  return row(
    printable(name.slice(0, SHOWN_NAME_CHARS)),
    cpuMs.toFixed(1),
    stallMs.toFixed(0),
    besideMs?.toFixed(0) ?? '',
    baselineMs?.toFixed(0) ?? '',
    verdict,
  )
}

function row(name: string, ...figures: readonly string[]): string {
  const [cpu = '', stall = '', beside = '', baseline = '', verdict = ''] = figures
  return `${name.padEnd(NAME_WIDTH)} ${cpu.padStart(8)} ${stall.padStart(6)} ${beside.padStart(7)} ${baseline.padStart(5)}  ${verdict}`.trimEnd()
}
