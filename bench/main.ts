import { arch, cpus, platform } from 'node:os'
import { parseArgs } from 'node:util'
import { judgePostgres, judgeSqlite } from './bars.ts'
import type { DatasetStore } from './datasets.ts'
import { runBench } from './run-bench.ts'
import { SCENARIOS } from './scenarios.ts'
import { openSqliteDatasets } from './sqlite-datasets.ts'
import { tableOf, verdictsText } from './table.ts'

const FULL = { sizes: [10_000, 1_000_000], rounds: 7, roundMs: 2_000, warmUpMs: 5_000 }
const QUICK = { sizes: [10_000], rounds: 3, roundMs: 500, warmUpMs: 1_500 }

/** `npm run bench`: the scenarios at every size, on the real server. */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    size: { type: 'string', multiple: true },
    profile: { type: 'string' },
  },
})
const effort = options.quick ? QUICK : FULL

await using store = await openDatasets()
const { figures, facts } = await runBench(store, {
  effort,
  sizes: options.size?.map(Number) ?? effort.sizes,
  scenarios: SCENARIOS.filter(({ name }) => name.includes(options.only)),
  withFacts: !options.postgres && options.only === '',
  nodeArguments: profiling(),
  onStep: (step) => process.stderr.write(`${step}\n`),
})
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

/** With `--profile FOLDER`, the server leaves a CPU profile of each of its threads there. */
function profiling(): readonly string[] {
  return options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`]
}

function machine(): string {
  const [cpu] = cpus()
  return `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}`
}
