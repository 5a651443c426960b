import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from '../version.ts'

/** What the parts of the server tell, and what can be read of it. Labels take few values, none of them from strangers. */
export interface Metrics {
  /** A request was answered. `route` is the pattern of the address, never the address. */
  answered(request: AnsweredRequest): void
  /** A request was answered with a problem. */
  refused(route: string, code: string): void
  /** Writes were committed together. */
  committed(calls: number, seconds: number): void
  /** An event was sent to a webhook, so long after it happened. */
  attempted(isTaken: boolean, lagSeconds: number): void
  /** Everything, as Prometheus reads it. `sources` are asked now. */
  render(sources: Sources): Promise<string>
}

export interface AnsweredRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** Numbers that are not told but looked up, when somebody wants to know. */
export interface Sources {
  readonly pendingWrites: number
  readonly connections: {
    readonly open: number
    readonly evictedIdle: number
    readonly evictedSlow: number
    readonly refused: number
  }
  readonly isStorageUp: boolean
}

/** How often the delay of the event loop is looked at. */
const EVENT_LOOP_PRECISION_MS = 20

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
const COMMIT_CALLS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
/** Up to the last attempt of the schedule. */
const LAG_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300, 1_800, 7_200, 43_200, 216_000]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]

  const requests = new Histogram({
    name: 'bugle_http_request_duration_seconds',
    help: 'Requests by how long their answers took; the live stream is not among them.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const problems = new Counter({
    name: 'bugle_http_problems_total',
    help: 'Requests that were answered with a problem, by its code: invalid-credentials, rate-limited and so on.',
    labelNames: ['route', 'code'],
    registers,
  })
  const commitCalls = new Histogram({
    name: 'bugle_commit_calls',
    help: 'Commits by how many writes they hold.',
    buckets: COMMIT_CALLS,
    registers,
  })
  const commitSeconds = new Histogram({
    name: 'bugle_commit_duration_seconds',
    help: 'Commits by how long they took, waiting for the writer included.',
    buckets: COMMIT_SECONDS,
    registers,
  })
  const lag = new Histogram({
    name: 'bugle_delivery_lag_seconds',
    help: 'From an event to the moment when a webhook had taken it.',
    buckets: LAG_SECONDS,
    registers,
  })
  const attempts = new Counter({
    name: 'bugle_delivery_attempts_total',
    help: 'Attempts to deliver events to webhooks, by whether they were taken.',
    labelNames: ['outcome'],
    registers,
  })
  /** Routes are few; to find the place of their labels anew for every request is not free. */
  const durations = new Map<string, Histogram.Internal<string>>()
  const gauges = createGauges(registers)
  let hasProcessFigures = false

  return {
    answered({ method, route, status, seconds }) {
      const name = `${status} ${method} ${route}`
      let duration = durations.get(name)
      if (duration === undefined) {
        duration = requests.labels(method, route, `${Math.floor(status / 100)}xx`)
        durations.set(name, duration)
      }
      duration.observe(seconds)
    },
    refused(route, code) {
      problems.inc({ route, code })
    },
    committed(calls, seconds) {
      commitCalls.observe(calls)
      commitSeconds.observe(seconds)
    },
    attempted(isTaken, lagSeconds) {
      attempts.inc({ outcome: isTaken ? 'taken' : 'failed' })
      if (isTaken) lag.observe(lagSeconds)
    },
    render(sources) {
      // Only from the first time on: watching the event loop costs whoever never asks, too.
      if (!hasProcessFigures)
        collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
      hasProcessFigures = true
      gauges.set(sources)
      return registry.metrics()
    },
  }
}

function createGauges(registers: Registry[]) {
  const info = new Gauge({
    name: 'bugle_info',
    help: 'The release of Bugle that is running.',
    labelNames: ['version'],
    registers,
  })
  info.set({ version: VERSION }, 1)
  const storageUp = new Gauge({
    name: 'bugle_storage_up',
    help: '1 while the database can be read and written, else 0.',
    registers,
  })
  const pendingWrites = new Gauge({
    name: 'bugle_write_queue_depth',
    help: 'Writes that wait for a commit or are in one.',
    registers,
  })
  const connections = new Gauge({
    name: 'bugle_http_connections',
    help: 'Connections that are open.',
    registers,
  })
  const turnedAway = new Counter({
    name: 'bugle_http_connections_turned_away_total',
    help: 'Connections that were one too many: idle ones and slow requests that had to make room, and new ones while all were busy.',
    labelNames: ['which'],
    registers,
  })
  return {
    set(sources: Sources): void {
      storageUp.set(sources.isStorageUp ? 1 : 0)
      pendingWrites.set(sources.pendingWrites)
      connections.set(sources.connections.open)
      turnedAway.reset()
      turnedAway.inc({ which: 'idle' }, sources.connections.evictedIdle)
      turnedAway.inc({ which: 'slow' }, sources.connections.evictedSlow)
      turnedAway.inc({ which: 'new' }, sources.connections.refused)
    },
  }
}
