import { countOf } from './bars.ts'
import type { Dataset, DatasetStore } from './datasets.ts'
import { type Driver, startDriver } from './driver.ts'
import { type Facts, gatherFacts } from './facts.ts'
import { type Effort, type Figures, measureScenario } from './measure.ts'
import type { Scenario } from './scenarios.ts'
import { buildBugle, type FloorServer, startBugle, startFloor } from './servers.ts'

/** What to measure, and how thoroughly. */
export interface Plan {
  readonly sizes: readonly number[]
  readonly scenarios: readonly Scenario[]
  readonly effort: Effort
  /** Whether to measure other figures too. */
  readonly withFacts: boolean
  /** Additional arguments for the Node that runs Bugle. */
  readonly nodeArguments?: readonly string[]
  /** Called with what is being measured. */
  readonly onStep?: (step: string) => void
}

export interface Results {
  readonly figures: readonly Figures[]
  readonly facts: readonly Facts[]
}

export async function runBench(store: DatasetStore, plan: Plan): Promise<Results> {
  plan.onStep?.('building the server')
  await buildBugle()
  await using floor = await startFloor()
  await using driver = startDriver()
  const figures: Figures[] = []
  const facts: Facts[] = []
  for (const size of plan.sizes) {
    plan.onStep?.(`preparing ${countOf(size)}`)
    const dataset = await store.prepare(size)
    for (const scenarios of groupsOf(plan.scenarios)) {
      figures.push(...(await measureGroup({ store, dataset, floor, driver, plan, scenarios })))
    }
    if (!plan.withFacts) continue
    plan.onStep?.(`start, disk and reads beside, ${countOf(size)}`)
    await using database = await store.copy(dataset)
    facts.push(await gatherFacts({ database, dataset, driver, effort: plan.effort }))
  }
  return { figures, facts }
}

/** Read-only scenarios share a server; each that writes has its own, on a fresh copy. */
function groupsOf(scenarios: readonly Scenario[]): readonly (readonly Scenario[])[] {
  const reading = scenarios.filter(({ writes }) => !writes)
  const writing = scenarios.filter(({ writes }) => writes).map((scenario) => [scenario])
  return reading.length > 0 ? [...writing, reading] : writing
}

interface Group {
  readonly store: DatasetStore
  readonly dataset: Dataset
  readonly floor: FloorServer
  readonly driver: Driver
  readonly plan: Plan
  readonly scenarios: readonly Scenario[]
}

async function measureGroup({ store, dataset, floor, driver, plan, scenarios }: Group): Promise<Figures[]> {
  const { effort, nodeArguments, onStep } = plan
  await using database = await store.copy(dataset)
  await using bugle = await startBugle(database.url, nodeArguments)
  const figures: Figures[] = []
  for (const scenario of scenarios) {
    onStep?.(`${scenario.name}, ${countOf(dataset.size)}`)
    figures.push(await measureScenario(scenario, { floor, bugle, driver, dataset, effort }))
  }
  return figures
}
