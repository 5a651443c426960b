import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchDatabase, Dataset } from './datasets.ts'
import { type Driver, startDriver } from './driver.ts'
import { type Effort, measureRound, median } from './measure.ts'
import { SCENARIOS, type Scenario, SEARCH, STATISTICS, SUBMIT_64 } from './scenarios.ts'
import { type BenchServer, startBugle } from './servers.ts'

/** Figures that are not relative to the floor. */
export interface Facts {
  readonly size: number
  readonly startMs: number
  readonly diskBytesPerIssue: number
  /** The rate of submissions during searches and statistics, relative to that without. */
  readonly throughputBesideReads: number
  readonly longestStallBesideReadsMs: number
}

const STARTS = 3
const RETRY_MS = 2

interface Place {
  readonly database: BenchDatabase
  readonly dataset: Dataset
  readonly driver: Driver
  readonly effort: Effort
}

export async function gatherFacts({ database, dataset, driver, effort }: Place): Promise<Facts> {
  const diskBytesPerIssue = (await database.size()) / dataset.size
  const starts: number[] = []
  for (let start = 0; start < STARTS; start++) starts.push(await timeStart(database.url))
  await using bugle = await startBugle(database.url)
  const beside = await submitBesideReads({ bugle, dataset, driver, effort })
  return { size: dataset.size, startMs: median(starts), diskBytesPerIssue, ...beside }
}

/** From the start of the process to the first response. */
async function timeStart(databaseUrl: string): Promise<number> {
  const began = performance.now()
  await using bugle = await startBugle(databaseUrl)
  for (;;) {
    const answer = await fetch(`${bugle.url}/readyz`).catch(() => undefined)
    if (answer?.ok) return performance.now() - began
    await sleep(RETRY_MS)
  }
}

async function submitBesideReads(place: Omit<Place, 'database'> & { readonly bugle: BenchServer }) {
  const { bugle, dataset, driver, effort } = place
  const stage = { dataset, url: bugle.url }
  const submit = scenarioOf(SUBMIT_64)
  const submissions = { ...submit, requests: await submit.requests(stage), durationMs: effort.roundMs }
  const reads = await Promise.all([SEARCH, STATISTICS].map((name) => scenarioOf(name).requests(stage)))
  const port = Number(new URL(bugle.url).port)
  const others = { port, connections: 1, status: '2xx', durationMs: effort.roundMs } as const
  const ratios: number[] = []
  const stalls: number[] = []
  await measureRound(bugle, driver, { ...submissions, durationMs: effort.warmUpMs })
  await using reader = startDriver()
  for (let round = 0; round < effort.rounds; round++) {
    const alone = await measureRound(bugle, driver, submissions)
    const [beside] = await Promise.all([
      measureRound(bugle, driver, submissions),
      reader.run({ ...others, requests: reads.flat() }),
    ])
    ratios.push(beside.throughput / alone.throughput)
    stalls.push(beside.longestStallMs)
  }
  return { throughputBesideReads: median(ratios), longestStallBesideReadsMs: Math.max(...stalls) }
}

function scenarioOf(name: string): Scenario {
  const scenario = SCENARIOS.find((one) => one.name === name)
  if (scenario === undefined) throw new RangeError(`there is no scenario "${name}"`)
  return scenario
}
