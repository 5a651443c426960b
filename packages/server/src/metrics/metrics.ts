import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { WebhookTally } from '../model/webhooks.ts'
import type { DiskSpace } from '../storage/files/file-store.ts'
import type { DatabaseSize } from '../storage/inspection.ts'
import { VERSION } from '../version.ts'

/** Collects measurements and exposes them as metrics. Labels have few values, none of them chosen by clients. */
export interface Metrics {
  /** A request was completed. `route` is the pattern of the address, never the address. */
  answered(request: AnsweredRequest): void
  /** A response was a problem. */
  refused(route: string, code: string): void
  /** Writes were committed together. */
  committed(calls: number, seconds: number): void
  /** An event was sent to a webhook, this long after it happened. */
  attempted(isTaken: boolean, lagSeconds: number): void
  /** An upload received this many bytes, whether or not they were stored. */
  received(bytes: number): void
  /** All metrics in the Prometheus format. `sources` are read now. */
  render(sources: Sources): Promise<string>
}

export interface AnsweredRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** Values that are read when the metrics are requested. */
export interface Sources {
  readonly pendingWrites: number
  readonly connections: {
    readonly open: number
    readonly evictedIdle: number
    readonly evictedSlow: number
    readonly refused: number
  }
  readonly isStorageUp: boolean
  /** The size of all files; `null` if it is not known. */
  readonly fileBytes: number | null
  /** Uploads of files in progress. */
  readonly uploads: PoolFigures
  /** Bytes of Sentry envelopes in progress that are held in memory. */
  readonly texts: PoolFigures
  /** `null`, here and below: not known, or there is no such thing. */
  readonly webhooks: WebhookTally | null
  readonly database: DatabaseSize | null
  /** The space on the disk of the files. */
  readonly fileSpace: DiskSpace | null
  /** How far our clock is ahead of that of the database. */
  readonly clockLeadSeconds: number | null
  /** The newest scheduled backup. */
  readonly backup: { readonly ageSeconds: number; readonly bytes: number } | null
}

/** What requests share, and how many of them gave way to those of other projects and clients. */
export interface PoolFigures {
  readonly taken: number
  readonly gaveWay: number
}

/** How often the delay of the event loop is sampled. */
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
    help: 'Requests by response time, without the live stream.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const problems = new Counter({
    name: 'bugle_http_problems_total',
    help: 'Responses that were problems, by code: invalid-credentials, rate-limited and so on.',
    labelNames: ['route', 'code'],
    registers,
  })
  const commitCalls = new Histogram({
    name: 'bugle_commit_calls',
    help: 'Commits by the number of writes.',
    buckets: COMMIT_CALLS,
    registers,
  })
  const commitSeconds = new Histogram({
    name: 'bugle_commit_duration_seconds',
    help: 'Commits by duration, including the wait for the writer.',
    buckets: COMMIT_SECONDS,
    registers,
  })
  const lag = new Histogram({
    name: 'bugle_delivery_lag_seconds',
    help: 'Time from an event to its delivery.',
    buckets: LAG_SECONDS,
    registers,
  })
  const attempts = new Counter({
    name: 'bugle_delivery_attempts_total',
    help: 'Delivery attempts to webhooks, by result.',
    labelNames: ['outcome'],
    registers,
  })
  const uploadedBytes = new Counter({
    name: 'bugle_attachment_upload_bytes_total',
    help: 'Bytes received in uploads of files, whether or not they were stored.',
    registers,
  })
  /** Caches the labels of each route, because looking them up for every request is not free. */
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
    received(bytes) {
      uploadedBytes.inc(bytes)
    },
    render(sources) {
      // Starts with the first request, because monitoring the event loop has a cost.
      if (!hasProcessFigures) collectProcessFigures(registry)
      hasProcessFigures = true
      gauges.set(sources)
      return registry.metrics()
    },
  }
}

/** Without gauges that are named like counters: each comes with a gauge of the same figures by type. */
function collectProcessFigures(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  for (const name of MISNAMED) register.removeSingleMetric(name)
}

const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

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
    help: '1 while the database can be read and written, otherwise 0.',
    registers,
  })
  const pendingWrites = new Gauge({
    name: 'bugle_write_queue_depth',
    help: 'Writes that are waiting for a commit or being committed.',
    registers,
  })
  const connections = new Gauge({
    name: 'bugle_http_connections',
    help: 'Open connections.',
    registers,
  })
  const turnedAway = new Counter({
    name: 'bugle_http_connections_turned_away_total',
    help: 'Connections over the limit: idle and slow ones that were closed, and new ones that were refused while all were busy.',
    labelNames: ['which'],
    registers,
  })
  const fileBytes = new Gauge({
    name: 'bugle_attachment_bytes',
    help: 'The size of all files of reports.',
    registers,
  })
  const uploads = new Gauge({
    name: 'bugle_attachment_uploads',
    help: 'Uploads of files in progress.',
    registers,
  })
  const texts = new Gauge({
    name: 'bugle_envelope_bytes',
    help: 'Bytes of large Sentry envelopes in progress that are held in memory.',
    registers,
  })
  const gaveWay = new Counter({
    name: 'bugle_requests_given_way_total',
    help: 'Requests evicted from a full shared pool because their project or client used the most of it.',
    labelNames: ['what'],
    registers,
  })
  const deliveries = new Gauge({
    name: 'bugle_deliveries_pending',
    help: 'Deliveries to webhooks that are waiting for their first attempt or a retry.',
    registers,
  })
  const webhooks = new Gauge({
    name: 'bugle_webhooks',
    help: 'Webhooks by state: failing ones are being retried, paused ones get nothing until someone resumes them.',
    labelNames: ['state'],
    registers,
  })
  const databaseBytes = new Gauge({
    name: 'bugle_database_bytes',
    help: 'The size of the database, without the write-ahead log of SQLite.',
    registers,
  })
  const walBytes = new Gauge({
    name: 'bugle_database_wal_bytes',
    help: 'The size of the write-ahead log of SQLite.',
    registers,
  })
  const diskFree = new Gauge({
    name: 'bugle_disk_free_bytes',
    help: 'Free space on the disk of the database (SQLite only) and on that of the files, if it is known.',
    labelNames: ['holds'],
    registers,
  })
  const clockLead = new Gauge({
    name: 'bugle_clock_lead_seconds',
    help: 'How far the clock of this machine is ahead of that of the database (PostgreSQL only).',
    registers,
  })
  const backupAge = new Gauge({
    name: 'bugle_backup_age_seconds',
    help: 'Time since the newest scheduled backup was started.',
    registers,
  })
  const backupBytes = new Gauge({
    name: 'bugle_backup_bytes',
    help: 'The size of the newest scheduled backup.',
    registers,
  })
  return {
    set(sources: Sources): void {
      show(deliveries, sources.webhooks?.pending)
      for (const state of WEBHOOK_STATES) show(webhooks, sources.webhooks?.[state], { state })
      show(databaseBytes, sources.database?.bytes)
      show(walBytes, sources.database?.logBytes)
      show(diskFree, sources.database?.freeBytes, { holds: 'database' })
      show(diskFree, sources.fileSpace?.freeBytes, { holds: 'attachments' })
      show(clockLead, sources.clockLeadSeconds)
      storageUp.set(sources.isStorageUp ? 1 : 0)
      pendingWrites.set(sources.pendingWrites)
      connections.set(sources.connections.open)
      show(fileBytes, sources.fileBytes)
      uploads.set(sources.uploads.taken)
      gaveWay.reset()
      gaveWay.inc({ what: 'uploads' }, sources.uploads.gaveWay)
      texts.set(sources.texts.taken)
      gaveWay.inc({ what: 'envelopes' }, sources.texts.gaveWay)
      show(backupAge, sources.backup?.ageSeconds)
      show(backupBytes, sources.backup?.bytes)
      turnedAway.reset()
      turnedAway.inc({ which: 'idle' }, sources.connections.evictedIdle)
      turnedAway.inc({ which: 'slow' }, sources.connections.evictedSlow)
      turnedAway.inc({ which: 'new' }, sources.connections.refused)
    },
  }
}

const WEBHOOK_STATES = ['active', 'failing', 'paused'] as const

/** What is not known has no sample: 0 would be a wrong value. */
function show(gauge: Gauge, value: number | null | undefined, labels: Record<string, string> = {}): void {
  if (value === null || value === undefined) gauge.remove(labels)
  else gauge.set(labels, value)
}
