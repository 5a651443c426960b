import { parseArgs } from 'node:util'
import type { DatasetStore } from '../../bench/datasets.ts'
import { buildBugle } from '../../bench/servers.ts'
import { openSqliteDatasets } from '../../bench/sqlite-datasets.ts'
import { printable } from '../../packages/server/src/cli/terminal/printable.ts'
import { MAX_PENDING_DELIVERIES } from '../../packages/server/src/model/decisions/plan-fan-out.ts'
import { FULL_EFFORT } from './measure.ts'
import { LIMITS, type Result, runCost } from './run-cost.ts'

const NAME_WIDTH = 64
const SHOWN_NAME_CHARS = 400

/** `npm run test:cost`: what the most expensive requests of every endpoint cost, on both databases. */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    issues: { type: 'string', default: '200000' },
    searches: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
  },
})
const [issues, searches, seed] = [options.issues, options.searches, options.seed].map(Number)
if (!isCount(issues) || !isCount(searches) || !isCount(seed)) {
  process.stderr.write('test:cost: --issues, --searches and --seed must be whole numbers\n')
  process.exit(2)
}

// By default a signal would end this process without its `exit` event, and leave the server behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

process.stderr.write('building the server\n')
await buildBugle()
const results: Result[] = []
for (const database of options.database) {
  await using store = await openDatasets(database)
  process.stdout.write(
    `\n${store.name}, ${issues.toLocaleString('en')} issues: ≤ ${LIMITS.cpuMs} ms of CPU, ≤ ${LIMITS.stallMs} ms in one turn of the event loop, ≤ ${LIMITS.besideMs} ms (p99) for submissions beside\n\n`,
  )
  process.stdout.write(`${row('REQUEST', 'CPU', 'STALL', 'BESIDE', 'IDLE', '')}\n`)
  const measured = await runCost(store, {
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
  results.push(...measured)
}
const failed = results.filter(({ verdict }) => verdict === 'TOO MUCH').length
process.stdout.write(`\n${results.length - failed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1

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
