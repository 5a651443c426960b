import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import type { BenchDatabase } from '../../bench/datasets.ts'
import type { ComposedRequest, CostlyRequest } from './requests/compose.ts'
import type { Submitter } from './submitter.ts'
import type { World } from './world.ts'

/** The number of clients that send a request concurrently during submissions to another project. */
const CLIENTS = 20
const TIMEOUT_MS = 60_000
/** How often a very cheap request is sent, because the server does other work during the measurement. */
const CHEAP_SENDS = 20
/** The statuses with which the server may protect itself from twenty clients. */
const OVERLOADED = [429, 503]

export interface Cost {
  /** CPU time of the server and of the database, including work after the response. */
  readonly cpuMs: number
  /** CPU time of the main thread within one turn of the event loop, which delays all other clients. */
  readonly stallMs: number
  /** The 99th percentile of the concurrent submissions; `null` if it was not sent by many clients. */
  readonly besideMs: number | null
}

/** How thoroughly to measure. */
export interface Effort {
  /** How often each request is sent alone; the median is used. */
  readonly repeats: number
  /** How long many clients send it concurrently. */
  readonly besideMs: number
  /** How long a stream is read. */
  readonly streamMs: number
}

export const FULL_EFFORT: Effort = { repeats: 3, besideMs: 1_000, streamMs: 1_000 }

export interface Stand {
  readonly world: World
  readonly database: BenchDatabase
  readonly effort: Effort
  readonly submitter: Submitter
}

/** Sends a request alone, then from many clients during submissions to another project. */
export async function measureCost(request: CostlyRequest, stand: Stand): Promise<Cost> {
  await using connections = openConnections(stand.world.server.url)
  const alone = await measureAlone(request, stand, connections)
  if (request.isScarce) return { ...alone, besideMs: await scarceBeside(request, stand, connections) }
  const beside = await measureBeside(request, stand, connections)
  return {
    cpuMs: alone.cpuMs,
    stallMs: Math.max(alone.stallMs, beside.stallMs),
    besideMs: beside.besideMs,
  }
}

async function measureAlone(
  request: CostlyRequest,
  { world: { server }, database, effort }: Stand,
  { reads }: Connections,
): Promise<Pick<Cost, 'cpuMs' | 'stallMs'>> {
  const costs: number[] = []
  let stallMs = 0
  let before = await server.settledUsage()
  for (let repeat = 0; repeat < (request.isScarce ? 1 : effort.repeats); repeat++) {
    const databaseBefore = await database.cpuMicros()
    const sends = request.maxCpuMs === undefined ? 1 : CHEAP_SENDS
    for (let sent = 0; sent < sends; sent++) await sendOne(reads, request, request.statuses, effort)
    const { longestTurnCpuMs } = await server.usage()
    const after = await server.settledUsage()
    const micros = after.cpuMicros - before.cpuMicros + (await database.cpuMicros()) - databaseBefore
    costs.push(micros / sends / 1_000)
    stallMs = Math.max(stallMs, longestTurnCpuMs)
    before = after
  }
  // The total of a stream is unbounded, but its steps are bounded.
  return { cpuMs: request.isStream ? 0 : median(costs), stallMs }
}

/** Submissions to another project while many clients send a request. */
async function measureBeside(
  request: CostlyRequest,
  { world, effort, submitter }: Stand,
  { reads }: Connections,
): Promise<{ readonly besideMs: number; readonly stallMs: number }> {
  await world.server.settledUsage()
  submitter.start()
  const end = performance.now() + effort.besideMs
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (performance.now() < end)
      await sendOne(reads, request, [...request.statuses, ...OVERLOADED], effort)
  })
  await Promise.all(clients)
  const times = await submitter.stop()
  const { longestTurnCpuMs } = await world.server.usage()
  return { besideMs: slowestHundredth(times), stallMs: longestTurnCpuMs }
}

/** The time of submissions while as many clients send trivial requests: any excess is caused by a request. */
export async function measureBaseline(stand: Stand): Promise<number> {
  await using connections = openConnections(stand.world.server.url)
  return (await measureBeside(NEXT_TO_NOTHING, stand, connections)).besideMs
}

const NEXT_TO_NOTHING: CostlyRequest = {
  what: 'next to nothing',
  statuses: [200],
  next: () => ({ method: 'GET', path: '/healthz', headers: {} }),
}

/** One at a time, during submissions: there are not twenty of a scarce resource. */
async function scarceBeside(
  request: CostlyRequest,
  { effort, submitter }: Stand,
  { reads }: Connections,
): Promise<number> {
  submitter.start()
  await sleep(effort.besideMs / 4)
  await sendOne(reads, request, request.statuses, effort)
  await sleep(effort.besideMs / 4)
  return Math.max(...(await submitter.stop()))
}

/** The cost of one search, without other load. */
export async function measureSearch(request: ComposedRequest, stand: Stand, reads: Pool): Promise<number> {
  const { server } = stand.world
  const before = (await server.usage()).cpuMicros + (await stand.database.cpuMicros())
  const answer = await dispatch(reads, request)
  await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER })
  if (answer.statusCode !== 200) throw new Error(`${request.path} was answered with ${answer.statusCode}`)
  return ((await server.usage()).cpuMicros + (await stand.database.cpuMicros()) - before) / 1_000
}

async function sendOne(
  pool: Pool,
  request: CostlyRequest,
  statuses: readonly number[],
  { streamMs }: Effort,
): Promise<void> {
  const composed = request.next()
  const answer = await dispatch(pool, composed)
  if (!statuses.includes(answer.statusCode)) {
    throw new Error(`${composed.method} ${composed.path}: ${answer.statusCode} ${await answer.body.text()}`)
  }
  if (!request.isStream) return answer.body.dump({ limit: Number.MAX_SAFE_INTEGER })
  answer.body.on('error', () => {}).resume()
  await sleep(streamMs)
  answer.body.destroy()
}

function dispatch(
  pool: Pool,
  { method, path, headers, body }: ComposedRequest,
): Promise<Dispatcher.ResponseData> {
  return pool.request({
    method: method as Dispatcher.HttpMethod,
    path,
    headers: { ...headers },
    body: body ?? null,
  })
}

interface Connections extends AsyncDisposable {
  readonly reads: Pool
}

export function openConnections(url: string): Connections {
  const reads = new Pool(url, {
    connections: CLIENTS,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  return { reads, [Symbol.asyncDispose]: () => reads.destroy() }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function slowestHundredth(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0
}
