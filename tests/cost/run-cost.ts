import type { DatasetStore } from '../../bench/datasets.ts'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import {
  type Cost,
  type Effort,
  measureBaseline,
  measureCost,
  measureSearch,
  openConnections,
  type Stand,
} from './measure.ts'
import type { CostlyRequest } from './requests/compose.ts'
import { costlyRequests, otherRequests } from './requests.ts'
import { someSearch } from './searches.ts'
import { startSubmitter } from './submitter.ts'
import { buildWorld, type Extent } from './world.ts'

/** The CPU limit of one request. */
export interface Limits {
  readonly cpuMs: number
  /** The CPU limit of one turn of the event loop. */
  readonly stallMs: number
  /** The limit for the 99th percentile of submissions to another project while twenty clients send the request. */
  readonly besideMs: number
}

export const LIMITS: Limits = { cpuMs: 100, stallMs: 50, besideMs: 100 }

/**
 * The time of a submission depends on how busy the machine is. If it exceeds the limit, it is compared with
 * the time during as many trivial requests. If that is less than this, the machine is idle and the limit
 * applies.
 */
const IDLE_MS = 20
/** Otherwise this multiple of it is allowed: the ratio of the limit to the 10 ms of an idle machine. */
const BUSY_FACTOR = 10
/** How often a request is measured before it counts as too expensive. */
const ATTEMPTS = 4
/** Noisy issues that are left for the first measurement of the next request that uses them up. */
const RESERVED_ISSUES = 2

export interface Plan extends Extent {
  readonly limits: Limits
  readonly effort: Effort
  readonly issues: number
  readonly searches: number
  readonly seed: number
  /** Only requests whose name contains one of these texts; all if empty. */
  readonly only: readonly string[]
  readonly onStep: (step: string) => void
  readonly onResult: (result: Result) => void
}

/** A request, what it cost, and whether that is too much. */
export interface Result extends Cost {
  readonly name: string
  /** The time of submissions during trivial requests, if measured. */
  readonly baselineMs: number | null
  readonly verdict: 'ok' | 'TOO MUCH'
}

/** Measures every request of the table, then random searches. The server has to be built before. */
export async function runCost(store: DatasetStore, plan: Plan): Promise<readonly Result[]> {
  plan.onStep(`preparing ${plan.issues.toLocaleString('en')} issues`)
  const dataset = await store.prepare(plan.issues)
  await using database = await store.copy(dataset)
  plan.onStep('filling the project with what costs most')
  await using world = await buildWorld(database, dataset, plan)
  await using submitter = await startSubmitter({ url: world.server.url, key: world.besideKey })
  const stand = { world, database, effort: plan.effort, submitter }
  const results: Result[] = []
  const note = (result: Result) => {
    results.push(result)
    plan.onResult(result)
  }
  for (const { endpoint, request } of everyRequest(stand)) {
    const name = `${endpoint}: ${request.what}`
    if (plan.only.length === 0 || plan.only.some((part) => name.includes(part)))
      note(await judge(name, request, stand, limitsOf(request, plan.limits)))
  }
  if (plan.searches > 0) note(await measureSearches(stand, plan))
  return results
}

function everyRequest({ world }: Stand): readonly { endpoint: string; request: CostlyRequest }[] {
  const table = { ...costlyRequests(world), other: otherRequests(world) }
  return Object.entries(table).flatMap(([endpoint, requests]) =>
    requests.map((request) => ({ endpoint, request })),
  )
}

/** Results above the limit are measured again, between two measurements of how busy the machine is: noise only adds. */
async function judge(name: string, request: CostlyRequest, stand: Stand, limits: Limits): Promise<Result> {
  let cost = await measureCost(request, stand)
  if (!isTooMuch(cost, limits)) return { name, ...cost, baselineMs: null, verdict: 'ok' }
  let baselineMs = await measureBaseline(stand)
  let allowed = limits
  for (let attempt = 1; attempt < ATTEMPTS && canRepeat(request, stand); attempt++) {
    cost = lower(cost, await measureCost(request, stand))
    baselineMs = Math.max(baselineMs, await measureBaseline(stand))
    const busyMs = baselineMs < IDLE_MS ? 0 : BUSY_FACTOR * baselineMs
    allowed = { ...limits, besideMs: Math.max(limits.besideMs, busyMs) }
    if (!isTooMuch(cost, allowed)) break
  }
  return { name, ...cost, baselineMs, verdict: isTooMuch(cost, allowed) ? 'TOO MUCH' : 'ok' }
}

/** A scarce resource is used up by each measurement: once alone, and once during submissions. */
function canRepeat({ isScarce }: CostlyRequest, { world }: Stand): boolean {
  return !isScarce || world.countNoisyIssues() >= 2 + RESERVED_ISSUES
}

function limitsOf({ maxCpuMs }: CostlyRequest, limits: Limits): Limits {
  return maxCpuMs === undefined ? limits : { ...limits, cpuMs: (maxCpuMs * limits.cpuMs) / LIMITS.cpuMs }
}

function isTooMuch({ cpuMs, stallMs, besideMs }: Cost, limits: Limits): boolean {
  return cpuMs > limits.cpuMs || stallMs > limits.stallMs || (besideMs ?? 0) > limits.besideMs
}

function lower(one: Cost, other: Cost): Cost {
  return {
    cpuMs: Math.min(one.cpuMs, other.cpuMs),
    stallMs: Math.min(one.stallMs, other.stallMs),
    besideMs: Math.min(one.besideMs ?? 0, other.besideMs ?? 0),
  }
}

async function measureSearches(stand: Stand, { searches, seed, limits, onStep }: Plan): Promise<Result> {
  onStep(`${searches} searches made up by chance, seed ${seed}`)
  const random = createRandom(seed)
  await using connections = openConnections(stand.world.server.url)
  const headers = { authorization: `Bearer ${stand.world.blindKey}` }
  let worst = { cpuMs: 0, path: '' }
  await stand.world.server.settledUsage()
  for (let n = 0; n < searches; n++) {
    const request = { method: 'GET', path: someSearch(random), headers }
    let cpuMs = await measureSearch(request, stand, connections.reads)
    if (cpuMs > limits.cpuMs) cpuMs = Math.min(cpuMs, await measureSearch(request, stand, connections.reads))
    if (cpuMs > worst.cpuMs) worst = { cpuMs, path: request.path }
  }
  const { longestTurnCpuMs: stallMs } = await stand.world.server.usage()
  const cost = { cpuMs: worst.cpuMs, stallMs, besideMs: null }
  return {
    name: `the worst of ${searches} searches: ${decodeURIComponent(worst.path)}`,
    ...cost,
    baselineMs: null,
    verdict: isTooMuch(cost, limits) ? 'TOO MUCH' : 'ok',
  }
}
