import { join } from 'node:path'
import type { Logger } from 'pino'
import { findServerFaults } from './cli/doctor/server-findings.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createCallers } from './domain/access/callers.ts'
import { createIntake } from './domain/access/intake.ts'
import { createRateLimiter } from './domain/access/rate-limits.ts'
import { createSenders } from './domain/access/senders.ts'
import { createSharedPool } from './domain/access/shared-pool.ts'
import { createAdministration } from './domain/administration/administration.ts'
import { createAttachments } from './domain/attachments/attachments.ts'
import { createByteBudgets } from './domain/attachments/byte-budgets.ts'
import { createEarlyUploads } from './domain/attachments/early-uploads.ts'
import { createRoom } from './domain/attachments/room.ts'
import { createClockWatch } from './domain/clock-watch.ts'
import { createEventHub } from './domain/events/event-hub.ts'
import { createEventViews } from './domain/events/event-views.ts'
import { createEvents } from './domain/events/events.ts'
import { createFaultLog, type FaultLog } from './domain/fault-log.ts'
import { createIssueFinder } from './domain/issues/issue-finder.ts'
import { createIssues } from './domain/issues/issues.ts'
import { createAssignees } from './domain/people/assignees.ts'
import { createPeople } from './domain/people/people.ts'
import { createCatalog } from './domain/projects/catalog.ts'
import { createLabels } from './domain/projects/labels.ts'
import { createProjects } from './domain/projects/projects.ts'
import { createSdkBuilds } from './domain/projects/sdk-builds.ts'
import { createSdkConfigs } from './domain/projects/sdk-config.ts'
import { createStats } from './domain/projects/stats.ts'
import { createVersionStats } from './domain/projects/version-stats.ts'
import { createVersions } from './domain/projects/versions.ts'
import { createReadiness, createService } from './domain/readiness.ts'
import { createKnownIssues } from './domain/reporters/known-issues.ts'
import { createMyReports } from './domain/reporters/my-reports.ts'
import { createPollTags } from './domain/reporters/poll-tags.ts'
import { createPublicPages } from './domain/reporters/public-pages.ts'
import { createEnvelopes, ENVELOPE_TEXT_BYTES } from './domain/sentry/envelopes.ts'
import { createDeliveries } from './domain/webhooks/deliveries.ts'
import { createWebhookFinder } from './domain/webhooks/webhook-finder.ts'
import { createWebhooks } from './domain/webhooks/webhooks.ts'
import { createDeviceCookie } from './http/answers/device-cookie.ts'
import { createSessionCookie } from './http/answers/session-cookie.ts'
import { PATIENCE, type Patience } from './http/gates/patience.ts'
import { createRateLimit, NO_RATE_LIMIT } from './http/gates/rate-limit.ts'
import { openOwnSdk } from './http/pages/sdk-files.ts'
import { createServer } from './http/server.ts'
import { INTERVALS, type Intervals } from './intervals.ts'
import type { Metrics } from './metrics/metrics.ts'
import { readMetrics } from './metrics/read-metrics.ts'
import type { HashCost } from './model/people/password-hashes.ts'
import { createMessenger } from './outbound/messenger.ts'
import { WEBHOOK_TIMEOUT_MS } from './outbound/send-webhook.ts'
import { sqliteFileOf } from './storage/backups.ts'
import type { FileStore } from './storage/files/file-store.ts'
import { openFileStore } from './storage/files/open-file-store.ts'
import type { DatabaseSize } from './storage/inspection.ts'
import { openInspection } from './storage/open-storage.ts'
import type { BackupStore } from './storage/ports/backups.ts'
import type { Storage } from './storage/storage.ts'
import { createAssignmentClearing } from './workers/clear-assignments.ts'
import { type Deliverer, startDeliverer } from './workers/deliver-webhooks.ts'
import { createJobs } from './workers/jobs.ts'
import { createBackupSchedule } from './workers/keep-backups.ts'
import { removeDeleted } from './workers/remove-deleted.ts'
import { createFileRemoval, ORPHAN_AGE_MS, sweepFiles } from './workers/remove-files.ts'
import { createLabelRemoval } from './workers/remove-labels.ts'
import { createProjectRemoval } from './workers/remove-projects.ts'
import { enforceRetention } from './workers/retention.ts'
import { createSendClaim } from './workers/send-claim.ts'
import { createWebhookGateway } from './workers/webhook-gateway.ts'

/** Relative to this file. The path also works in the package: the compiled server is in `packages/server/dist`. */
const DASHBOARD_FOLDER = join(import.meta.dirname, '../../dashboard/dist')
/** A turn of the event loop accepts one connection. If more wait, the system drops attempts, which clients repeat after 1, 3, 7, 15 and 31 seconds. */
const LISTEN_BACKLOG = 4_096
/** After this time a shutdown, with its draining, no longer waits for requests in progress. */
const SHUTDOWN_TIMEOUT_MS = 9_900
const IDLE_CHECK_MS = 50
const HOUR_MS = 3_600_000
const SDK_NOT_STORED = 'the files of the SDK could not be stored for pages that pin this version'

export interface App {
  readonly storage: Storage
  /** Where the bytes of attachments are stored. */
  readonly files: FileStore
  readonly server: ReturnType<typeof createServer>
  readonly logger: Logger
  /** Starts to serve requests; resolves to the address. */
  start(): Promise<string>
  /** Asks load balancers and clients to go elsewhere. Whatever arrives until `stop` is still served. */
  drain(): void
  /** Finishes accepted requests, commits, and releases all resources. */
  stop(): Promise<void>
}

export interface AppOptions {
  readonly clock?: Clock
  /** Returns a number from 0 to 1. */
  readonly random?: () => number
  /** The time a webhook receiver has to respond. */
  readonly webhookTimeoutMs?: number
  /** The time limits for clients. */
  readonly patience?: Patience
  /** The cost of hashing a password. */
  readonly hashCost?: HashCost
  /** How often background jobs run. */
  readonly intervals?: Intervals
  /** The folder of the built dashboard. */
  readonly dashboardFolder?: string
  /** Called when everything is set up, before the server listens. */
  readonly onReady?: () => void
}

interface AppDependencies {
  readonly config: Config
  readonly storage: Storage
  readonly metrics: Metrics
  readonly logger: Logger
}

/** The composition root: the only module that depends on all the others. */
export async function createApp(
  { config, storage, metrics, logger }: AppDependencies,
  {
    clock = systemClock,
    random = Math.random,
    webhookTimeoutMs = WEBHOOK_TIMEOUT_MS,
    dashboardFolder = DASHBOARD_FOLDER,
    patience = PATIENCE,
    hashCost,
    intervals = INTERVALS,
    onReady,
  }: AppOptions,
): Promise<App> {
  const { eventDays, deliveryDays, auditDays } = config
  const isSqlite = config.databaseUrl.startsWith('sqlite:')
  const faults = createFaultLog(logger)
  const bucket = config.attachmentsBucket
  const store = await openFileStore({ databaseUrl: config.databaseUrl, bucket, storage })
  const limits = config.attachmentLimits
  const budgets = createByteBudgets(config.rateLimits === null ? Number.POSITIVE_INFINITY : limits.hour)
  const slots = createSharedPool({ size: limits.uploads, what: 'uploads' })
  const texts = createSharedPool({ size: ENVELOPE_TEXT_BYTES, what: 'large requests' })
  const room = createRoom({ store, limits })
  const catalog = createCatalog(storage)
  let nodes = 1
  const intake = createIntake(storage)
  const callers = createCallers({ storage, catalog, clock })
  const eventViews = createEventViews({ storage, catalog })
  const finder = createIssueFinder({ storage, catalog })
  const findWebhook = createWebhookFinder({ storage, catalog })
  const guard = { exceptions: config.allowPrivateWebhooks }
  const messenger = createMessenger({ guard, clock, timeoutMs: webhookTimeoutMs })
  const leaving = new AbortController()
  const service = createService()
  const closing = new AbortController()
  let closingSince = Number.POSITIVE_INFINITY
  const gateway = createWebhookGateway({ guard, clock, messenger, signal: leaving.signal })
  const hub = createEventHub(storage.events)
  const pollTags = createPollTags(storage)
  const limiter = config.rateLimits ? createRateLimiter(config.rateLimits) : undefined
  const checkReadiness = createReadiness(storage, service)
  const clockWatch = createClockWatch({
    storage,
    clock,
    onChange(isWrong, leadMs) {
      const lead = { secondsAhead: Math.round(leadMs / 1_000) }
      if (isWrong) logger.warn(lead, 'the clocks of this machine and the database differ')
      else logger.info(lead, 'resolved: the clocks of this machine and the database differ')
    },
  })
  const senders = createSenders({ storage, catalog })
  const issues = createIssues({
    ...{ storage, catalog, clock, eventViews, senders, limiter, attachmentLimits: limits },
  })
  const attachments = createAttachments({
    ...{ storage, store, catalog, clock, finder, limits, room, budgets, slots },
    onReceived: metrics.received,
    onDamage: ({ id, file, size, sha256 }, isDamaged) => {
      const stored = { attachment: id, file, place: store.place, size, sha256 }
      if (isDamaged) logger.error(stored, 'a stored file is missing or damaged: restore it from a backup')
      else logger.info(stored, 'a damaged file is intact again')
    },
    onNoteFault: (error) =>
      faults.note('that a stored file is damaged or whole could not be recorded', error),
  })
  const earlyUploads = createEarlyUploads({
    ...{ storage, store, clock, limits, room, budgets, slots, limiter },
    onReceived: metrics.received,
  })
  const ownSdk = openOwnSdk(join(dashboardFolder, 'sdk'))
  const sdkBuilds = createSdkBuilds({ storage, clock })
  const backups = await openBackups(config)
  const backupSchedule =
    backups &&
    createBackupSchedule({
      ...{ backups, storage, clock },
      everyMs: config.backupHours * HOUR_MS,
      retryMs: intervals.backupRetry,
      listMs: intervals.backupList,
      onWarning: (sentence) => logger.warn(sentence),
    })
  const server = createServer({
    catalog,
    issues,
    attachments,
    attachmentLimits: limits,
    envelopes: createEnvelopes({
      submissions: issues,
      ...{ earlyUploads, catalog, intake },
    }),
    texts,
    knownIssues: createKnownIssues({ storage, catalog }),
    myReports: createMyReports({ storage, catalog, clock }),
    pollTags,
    publicPages: createPublicPages({ storage, catalog, issues }),
    projects: createProjects({ storage, catalog }),
    stats: createStats({ storage, clock, finder, catalog }),
    versions: createVersions({ storage, finder }),
    versionStats: createVersionStats({ storage, finder, clock }),
    assignees: createAssignees({ storage, finder }),
    labels: createLabels({ catalog, finder }),
    events: createEvents({ storage, catalog, callers, finder, hub, eventViews }),
    webhooks: createWebhooks({ storage, clock, finder, findWebhook, gateway }),
    deliveries: createDeliveries({ storage, clock, findWebhook }),
    callers,
    people: createPeople({ storage, clock, finder, refresh, hashCost }),
    administration: createAdministration({
      ...{ storage, clock, refresh },
      probe: {
        databaseKind: isSqlite ? 'sqlite' : 'postgres',
        measureDatabase: () => measureDatabase(config.databaseUrl, faults),
        countNodes: () => nodes,
        backupSchedule,
        listFindings: (asSeen) => findServerFaults({ ...asSeen, config, storage, backups: backupSchedule }),
      },
    }),
    clock,
    cookie: createSessionCookie(config.publicUrl),
    deviceCookie: createDeviceCookie(config.publicUrl),
    intake,
    sdkConfigs: createSdkConfigs(catalog),
    ownSdk,
    sdkBuilds,
    rateLimit: limiter ? createRateLimit({ limiter, clock }) : NO_RATE_LIMIT,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    checkReadiness,
    service,
    dashboardFolder,
    metrics: {
      token: config.metricsToken,
      render: (connections) =>
        readMetrics({
          ...{ metrics, storage, store, slots, texts, clock, clockWatch, backupSchedule },
          ...{ checkReadiness, connections },
          // A PostgreSQL that does not respond would delay the metrics, which matter most then.
          measureDatabase: async (isStorageUp) =>
            isSqlite || isStorageUp ? measureDatabase(config.databaseUrl, faults) : null,
        }),
    },
    closing: closing.signal,
    maxConnections: config.maxConnections,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    observer: metrics,
    patience,
    securityTxt: config.securityContacts && { ...config, contacts: config.securityContacts, clock },
    faults,
    logger,
  })
  const jobs = createJobs(faults, () => service.refusal !== null)
  jobs.every(intervals.catalogRefresh, refresh, 'projects, keys and people could not be refreshed')
  jobs.every(intervals.intakeFlush, intake.flush, 'refused submissions could not be counted')
  jobs.every(intervals.nodeBeat, shareLimits, 'the rate limits could not be shared with other servers', {
    isNeverPaused: true,
  })
  jobs.every(intervals.clockCheck, clockWatch.check, 'the clock of the database could not be read')
  jobs.every(
    intervals.retention,
    () => enforceRetention({ storage, clock, eventDays, deliveryDays, auditDays }),
    'old events, deliveries and sessions could not be removed',
  )
  jobs.every(intervals.retention, keepSdk, SDK_NOT_STORED)
  jobs.every(intervals.removal, () => removeDeleted(storage), 'rows of deleted issues could not be removed')
  jobs.every(
    intervals.removal,
    createProjectRemoval(storage),
    'rows of deleted projects could not be removed',
  )
  jobs.every(
    intervals.removal,
    createAssignmentClearing({ storage, clock }),
    'issues could not be unassigned from people who lost access to them',
  )
  jobs.every(
    intervals.removal,
    createFileRemoval({ storage, store }),
    'files of deleted reports could not be removed',
  )
  jobs.every(
    intervals.removal,
    createLabelRemoval({ storage, clock }),
    'deleted labels could not be taken from issues',
  )
  jobs.every(
    intervals.sweep,
    async () => void (await sweepFiles({ storage, store }, clock() - ORPHAN_AGE_MS)),
    'files left by interrupted uploads could not be removed',
  )
  jobs.every(intervals.usageFlush, callers.flush, 'the last use of keys and sessions could not be recorded')
  if (backupSchedule !== null) {
    const options = { retryMs: intervals.backupRetry }
    jobs.every(intervals.backup, backupSchedule.run, 'no backup could be made', options)
  }
  let deliverer: Deliverer | undefined
  let keepingSdk: Promise<void> | undefined

  /** Pages that pin this build of the SDK can still load it after an upgrade, from every node. */
  async function keepSdk(): Promise<void> {
    const id = await ownSdk.readId()
    if (id !== undefined) await sdkBuilds.keep(id, ownSdk.readBuild)
  }

  function startDeliveries(): Deliverer {
    return startDeliverer({
      storage,
      clock,
      random,
      send: createSendClaim({ messenger, clock, eventViews, baseUrl: config.publicUrl }),
      onFault: (error) => faults.note('webhooks could not be delivered', error),
      onAttempt: metrics.attempted,
    })
  }

  function drain(): void {
    if (closing.signal.aborted) return
    closingSince = performance.now()
    closing.abort()
  }

  async function refresh(): Promise<void> {
    const { generation } = catalog
    await catalog.refresh()
    // The callers of open streams may have lost their permissions.
    if (catalog.generation !== generation) hub.wakeAll()
  }

  async function shareLimits(): Promise<void> {
    const heartbeat = await storage.beat()
    if (heartbeat.fault !== null) return suspend(heartbeat.fault)
    resume()
    nodes = heartbeat.nodes
    limiter?.setShare(1 / nodes)
    budgets.setShare(1 / nodes)
  }

  /** As long as the fault lasts, every request is refused, and nothing of this release writes to the database, whose tables may mean something else. */
  async function suspend(fault: string): Promise<void> {
    if (service.refusal === fault) return
    logger.error(`${fault} Until then, this server refuses all requests.`)
    service.suspend(fault)
    await deliverer?.stop()
    deliverer = undefined
  }

  function resume(): void {
    if (service.refusal === null) return
    logger.info('resolved: the database has a schema that this server can use')
    service.resume()
    if (!closing.signal.aborted) deliverer = startDeliveries()
  }

  return {
    storage,
    files: store,
    server,
    logger,
    async start() {
      await Promise.all([catalog.refresh(), shareLimits(), clockWatch.check()])
      if (service.refusal === null) deliverer = startDeliveries()
      await server.ready()
      onReady?.()
      const place = { host: config.host, port: config.port, backlog: LISTEN_BACKLOG }
      const address = await withoutInfo(logger, () => server.listen(place))
      // After listening, so that the first responses do not wait for it.
      keepingSdk = keepSdk().catch((error: unknown) => faults.note(SDK_NOT_STORED, error))
      return address
    },
    drain,
    async stop() {
      drain()
      // A busy connection can be closed only once it is idle, so this is checked repeatedly. A new one counts as idle.
      const idling = setInterval(() => {
        if (!server.server.listening) server.server.closeIdleConnections()
      }, IDLE_CHECK_MS)
      const overdue = setTimeout(
        () => {
          logger.warn('stopping took too long; requests still in progress are cut off')
          server.server.closeAllConnections()
        },
        closingSince + SHUTDOWN_TIMEOUT_MS - performance.now(),
      )
      await Promise.all([server.close(), deliverer?.stop()])
      leaving.abort()
      clearInterval(idling)
      clearTimeout(overdue)
      jobs.stop()
      const unsaved = service.refusal !== null ? [] : [intake.flush(), callers.flush(), keepingSdk]
      await Promise.allSettled([...unsaved, backups?.close()])
      hub.close()
      pollTags.close()
      await store.close()
      await storage.close()
      faults.close()
      logger.flush()
    },
  }
}

/** The scheduled backups; `null` if there are none. */
async function openBackups(config: Config): Promise<BackupStore | null> {
  const { databaseUrl, attachmentsBucket, backupPlace: place, backupKeep: keep } = config
  const path = sqliteFileOf(databaseUrl)
  if (place === null || path === undefined) return null
  // Loaded only if it is used.
  const { openBackupStore } = await import('./storage/backups/backup-store.ts')
  return openBackupStore({ path, isInFolder: attachmentsBucket === null, place, keep })
}

/** The size of the database; `null` if it is in memory, or cannot be measured now. */
async function measureDatabase(url: string, faults: FaultLog): Promise<DatabaseSize | null> {
  if (url.startsWith('sqlite:') && sqliteFileOf(url) === undefined) return null
  try {
    await using inspection = await openInspection(url)
    return await inspection.measureSize()
  } catch (error) {
    // The rest of the page is worth showing without it: it matters most when something is wrong.
    faults.note('the size of the database could not be measured', error)
    return null
  }
}

/** Suppresses Fastify's own "listening" message; the caller prints one. */
async function withoutInfo<T>(logger: Logger, act: () => Promise<T>): Promise<T> {
  const { level } = logger
  if (logger.isLevelEnabled('info')) logger.level = 'warn'
  try {
    return await act()
  } finally {
    logger.level = level
  }
}
