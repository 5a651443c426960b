import { captureAnswers } from './capture-answers.ts'
import type { Dataset } from './datasets.ts'
import type { Driver, Job, Load } from './driver.ts'
import type { Scenario } from './scenarios.ts'
import type { BenchServer, FloorServer } from './servers.ts'

/** Responses of Bugle that the floor repeats. */
const CAPTURED = 20

export interface Effort {
  readonly rounds: number
  readonly roundMs: number
  readonly warmUpMs: number
}

/** One round of one server. */
export interface Round extends Load {
  readonly throughput: number
  /** CPU time of the server per request, in all its threads, including deferred work. */
  readonly cpuMicros: number
  readonly memoryBytes: number
  readonly longestStallMs: number
}

/** The result of a scenario: the median round, and the median ratio of each round to the floor's adjacent round. */
export interface Figures {
  readonly scenario: string
  readonly size: number
  readonly throughput: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMicros: number
  readonly memoryMb: number
  readonly floor: { readonly throughput: number; readonly p50Ms: number; readonly cpuMicros: number }
  readonly ratios: { readonly throughput: number; readonly latency: number; readonly cpu: number }
}

export interface Stand {
  readonly floor: FloorServer
  readonly bugle: BenchServer
  readonly driver: Driver
  readonly dataset: Dataset
  readonly effort: Effort
}

/** Measures a scenario: floor and Bugle in turn, so that other load on the machine affects both. */
export async function measureScenario(scenario: Scenario, stand: Stand): Promise<Figures> {
  const { floor, bugle, driver, dataset, effort } = stand
  const { name, connections, status } = scenario
  const requests = await scenario.requests({ dataset, url: bugle.url })
  floor.answerWith(await captureAnswers(bugle.url, requests.slice(0, CAPTURED)))
  const load = { connections, requests, status }
  const warmUp = { ...load, durationMs: effort.warmUpMs }
  for (const server of [floor, bugle]) await measureRound(server, driver, warmUp)
  const floors: Round[] = []
  const bugles: Round[] = []
  for (let round = 0; round < effort.rounds; round++) {
    floors.push(await measureRound(floor, driver, { ...load, durationMs: effort.roundMs }))
    bugles.push(await measureRound(bugle, driver, { ...load, durationMs: effort.roundMs }))
  }
  const typical = (rounds: readonly Round[], figure: keyof Round) =>
    median(rounds.map((round) => round[figure]))
  const ratio = (figure: keyof Round) =>
    median(bugles.map((round, index) => round[figure] / (floors[index]?.[figure] ?? Number.NaN)))
  return {
    scenario: name,
    size: dataset.size,
    throughput: typical(bugles, 'throughput'),
    p50Ms: typical(bugles, 'p50Ms'),
    p99Ms: typical(bugles, 'p99Ms'),
    cpuMicros: typical(bugles, 'cpuMicros'),
    memoryMb: Math.max(...bugles.map(({ memoryBytes }) => memoryBytes)) / 2 ** 20,
    floor: {
      throughput: typical(floors, 'throughput'),
      p50Ms: typical(floors, 'p50Ms'),
      cpuMicros: typical(floors, 'cpuMicros'),
    },
    ratios: { throughput: ratio('throughput'), latency: ratio('p50Ms'), cpu: ratio('cpuMicros') },
  }
}

export async function measureRound(
  server: BenchServer,
  driver: Driver,
  job: Omit<Job, 'port'>,
): Promise<Round> {
  const before = await server.usage()
  const load = await driver.run({ ...job, port: Number(new URL(server.url).port) })
  const { memoryBytes, longestStallMs } = await server.usage()
  const after = await server.settledUsage()
  return {
    ...load,
    throughput: load.requests / load.seconds,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / load.requests,
    memoryBytes,
    longestStallMs,
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [below = Number.NaN, above = Number.NaN] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 1 ? above : (below + above) / 2
}
