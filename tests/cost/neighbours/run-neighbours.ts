import type { DatasetStore } from '../../../bench/datasets.ts'
import { ATTACKS, type Attack } from './attacks.ts'
import { buildStage, type Stage } from './stage.ts'
import type { Sent } from './victim.ts'

/** The limits of the victim's times, as multiples of those without the neighbour. */
const P50_FACTOR = 3
const P99_FACTOR = 5
/** On a fast machine, this much is always allowed. */
const ALLOWED_P99_MS = 400

export interface NeighbourPlan {
  readonly issues: number
  /** How often each attack is measured; the medians count. */
  readonly runs: number
  /** Requests of the victim in each run, without the neighbour and then beside it. */
  readonly requests: number
  /** Only attacks whose name contains one of these texts; all if empty. */
  readonly only: readonly string[]
  readonly onStep: (step: string) => void
  readonly onResult: (result: NeighbourResult) => void
}

export interface NeighbourResult {
  readonly name: string
  readonly quiet: Times
  readonly beside: Times
  /** Requests of the victim that were refused. */
  readonly refused: number
  /** What was accepted and not kept, such as files of an envelope. */
  readonly dropped: number
  readonly verdict: 'ok' | 'TOO MUCH'
}

export interface Times {
  readonly p50: number
  readonly p99: number
}

/** Measures a victim while a neighbour holds everything that it can. The server has to be built before. */
export async function runNeighbours(
  store: DatasetStore,
  plan: NeighbourPlan,
): Promise<readonly NeighbourResult[]> {
  plan.onStep(`preparing ${plan.issues.toLocaleString('en')} issues`)
  const dataset = await store.prepare(plan.issues)
  await using database = await store.copy(dataset)
  await using stage = await buildStage(database, dataset)
  const results: NeighbourResult[] = []
  for (const attack of ATTACKS) {
    if (plan.only.length > 0 && !plan.only.some((part) => attack.name.includes(part))) continue
    plan.onStep(attack.name)
    const result = await measureAttack(stage, attack, plan)
    results.push(result)
    plan.onResult(result)
  }
  return results
}

async function measureAttack(
  stage: Stage,
  attack: Attack,
  { runs, requests }: NeighbourPlan,
): Promise<NeighbourResult> {
  const quiet: Times[] = []
  const beside: Times[] = []
  let refused = 0
  const droppedBefore = await stage.countDropped()
  for (let run = 0; run < runs; run++) {
    quiet.push(timesOf(await stage.victim.send(attack.victim, requests)))
    const sent = await sendBeside(stage, attack, requests)
    beside.push(timesOf(sent))
    refused += sent.refusals.length
  }
  const dropped = (await stage.countDropped()) - droppedBefore
  const figures = { quiet: medianOf(quiet), beside: medianOf(beside), refused, dropped }
  return { name: attack.name, ...figures, verdict: isTooMuch(figures) ? 'TOO MUCH' : 'ok' }
}

async function sendBeside(stage: Stage, attack: Attack, requests: number): Promise<Sent> {
  await using _ = await attack.start(stage)
  return await stage.victim.send(attack.victim, requests)
}

function isTooMuch({ quiet, beside, refused, dropped }: Omit<NeighbourResult, 'name' | 'verdict'>): boolean {
  const isSlow =
    beside.p50 > P50_FACTOR * quiet.p50 || beside.p99 > Math.max(P99_FACTOR * quiet.p99, ALLOWED_P99_MS)
  return isSlow || refused > 0 || dropped > 0
}

function timesOf({ times }: Sent): Times {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

function medianOf(runs: readonly Times[]): Times {
  const median = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
  return { p50: median(runs.map(({ p50 }) => p50)), p99: median(runs.map(({ p99 }) => p99)) }
}
