import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../packages/server/test-support/start-postgres.ts'
import type { Dataset } from './datasets.ts'
import { startDriver } from './driver.ts'
import { measureRound, median } from './measure.ts'
import { backendMicros, urlOf } from './postgres-datasets.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { COMMAND_SOURCE, startCheckout } from './servers.ts'

/** `node bench/compare.ts FOLDER`: the CPU time of a submission here, compared with another checkout. */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    postgres: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '10' },
    ms: { type: 'string', default: '1500' },
    only: { type: 'string', default: '' },
  },
})
const [other] = positionals
if (other === undefined) throw new Error('usage: node bench/compare.ts FOLDER [--postgres] [--only TEXT]')
const CHECKOUTS = { before: resolve(other), now: resolve(import.meta.dirname, '..') }
type Side = keyof typeof CHECKOUTS
const SIDES: readonly Side[] = ['before', 'now']
/** Fingerprints that reports share. */
const FINGERPRINTS = Array.from({ length: 500 }, (_, index) => `crash-${index}`)

const folder = mkdtempSync(join(tmpdir(), 'bugle-compare-'))
const server = options.postgres ? await startPostgres() : null
try {
  await using driver = startDriver()
  const scenarios = SCENARIOS.filter(({ name }) => name.startsWith('submit') && name.includes(options.only))
  for (const [index, scenario] of scenarios.entries()) await compare(scenario, index, driver)
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare(scenario: Scenario, index: number, driver: ReturnType<typeof startDriver>) {
  await using before = await startSide('before', index)
  await using now = await startSide('now', index)
  const sides = { before, now }
  const figures = { before: [] as number[], now: [] as number[] }
  const parts = { before: [] as number[], now: [] as number[] }
  const { connections, status } = scenario
  const rounds = Number(options.rounds)
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const { bugle, dataset, databaseMicros } = sides[name]
      const requests = await scenario.requests({ dataset, url: bugle.url })
      const load = { connections, requests, status, durationMs: Number(options.ms) * (round === 0 ? 3 : 1) }
      const usedBefore = databaseMicros()
      const measured = await measureRound(bugle, driver, load)
      const ofDatabase = (databaseMicros() - usedBefore) / measured.requests
      if (round === 0) continue
      figures[name].push(measured.cpuMicros + ofDatabase)
      parts[name].push(ofDatabase)
    }
  }
  const [one, two] = [median(figures.before), median(figures.now)]
  process.stdout.write(
    `${scenario.name}: ${one.toFixed(0)} µs before, ${two.toFixed(0)} µs now, ${(two / one).toFixed(3)} ×; of which the database ${median(parts.before).toFixed(0)} and ${median(parts.now).toFixed(0)} µs\n`,
  )
}

async function startSide(name: Side, index: number) {
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
  const { token } = run('key', 'create', '--project', 'bench', '--kind', 'public')
  const bugle = await startCheckout(CHECKOUTS[name], url)
  const used = new Map<string, number>()
  return {
    bugle,
    dataset: { size: 0, publicToken: token, fingerprints: FINGERPRINTS } as unknown as Dataset,
    databaseMicros: () => (server === null ? 0 : backendMicros(databaseName, used)),
    [Symbol.asyncDispose]: () => bugle[Symbol.asyncDispose](),
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
}
