import { arch, cpus, platform } from 'node:os'
import { parseArgs } from 'node:util'
import { countOf, judgePostgres, judgeSqlite } from './bars.ts'
import type { DatasetStore } from './datasets.ts'
import { startDriver } from './driver.ts'
import { type Facts, gatherFacts } from './facts.ts'
import { type Figures, measureScenario } from './measure.ts'
import { SCENARIOS } from './scenarios.ts'
import { startBugle, startFloor } from './servers.ts'
import { openSqliteDatasets } from './sqlite-datasets.ts'
import { tableOf, verdictsText } from './table.ts'

const FULL = { sizes: [10_000, 1_000_000], rounds: 7, roundMs: 2_000, warmUpMs: 4_000 }
const QUICK = { sizes: [10_000], rounds: 3, roundMs: 500, warmUpMs: 1_000 }

/** `npm run bench`: every scenario at every size, on the real server. */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
    size: { type: 'string', multiple: true },
  },
})
const effort = options.quick ? QUICK : FULL
const sizes = options.size?.map(Number) ?? effort.sizes
await using store = await openDatasets()
const { figures, facts } = await measureAll(store)
const verdicts = options.postgres ? judgePostgres(figures) : judgeSqlite(figures, facts)
process.stdout.write(
  options.json
    ? `${JSON.stringify({ machine: machine(), database: store.name, figures, facts, verdicts }, null, 2)}\n`
    : `${machine()}, ${store.name}\n\n${tableOf(figures)}\n\n${verdictsText(verdicts)}\n`,
)

async function openDatasets(): Promise<DatasetStore> {
  if (!options.postgres) return openSqliteDatasets()
  const { openPostgresDatasets } = await import('./postgres-datasets.ts')
  return openPostgresDatasets()
}

async function measureAll(
  store: DatasetStore,
): Promise<{ figures: readonly Figures[]; facts: readonly Facts[] }> {
  await using floor = await startFloor()
  await using driver = startDriver()
  const figures: Figures[] = []
  const facts: Facts[] = []
  const scenarios = SCENARIOS.filter(({ name }) => name.includes(options.only))
  for (const size of sizes) {
    const dataset = await store.prepare(size)
    for (const scenario of scenarios) {
      note(`${scenario.name}, ${countOf(size)}`)
      await using database = await store.copy(dataset)
      await using bugle = await startBugle(database.url, profiling())
      figures.push(await measureScenario(scenario, { floor, bugle, driver, dataset, effort }))
    }
    if (options.postgres || options.only !== '') continue
    note(`start, disk and reads beside, ${countOf(size)}`)
    await using database = await store.copy(dataset)
    facts.push(await gatherFacts({ database, dataset, driver, effort }))
  }
  return { figures, facts }
}

/** With `--profile FOLDER`, the server leaves a CPU profile of each of its threads there. */
function profiling(): readonly string[] {
  return options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`]
}

function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

function machine(): string {
  const [cpu] = cpus()
  return `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}`
}
