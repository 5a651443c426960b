import { join } from 'node:path'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createCallers } from './domain/access/callers.ts'
import { createIntake } from './domain/access/intake.ts'
import { createRateLimiter } from './domain/access/rate-limits.ts'
import { createEventHub } from './domain/events/event-hub.ts'
import { createEventViews } from './domain/events/event-views.ts'
import { createEvents } from './domain/events/events.ts'
import { createIssueFinder } from './domain/issues/issue-finder.ts'
import { createIssues } from './domain/issues/issues.ts'
import { createPeople } from './domain/people/people.ts'
import { createCatalog } from './domain/projects/catalog.ts'
import { createProjects } from './domain/projects/projects.ts'
import { createSdkConfigs } from './domain/projects/sdk-config.ts'
import { createStats } from './domain/projects/stats.ts'
import { createReadiness } from './domain/readiness.ts'
import { createDeliveries } from './domain/webhooks/deliveries.ts'
import { createWebhookFinder } from './domain/webhooks/webhook-finder.ts'
import { createWebhooks } from './domain/webhooks/webhooks.ts'
import { createDeviceCookie } from './http/answers/device-cookie.ts'
import { createSessionCookie } from './http/answers/session-cookie.ts'
import { PATIENCE, type Patience } from './http/gates/patience.ts'
import { createRateLimit, NO_RATE_LIMIT } from './http/gates/rate-limit.ts'
import type { createServer } from './http/server.ts'
import { INTERVALS, type Intervals } from './intervals.ts'
import { readMetrics } from './metrics/read-metrics.ts'
import type { HashCost } from './model/password-hashes.ts'
import { createMessenger } from './outbound/messenger.ts'
import { WEBHOOK_TIMEOUT_MS } from './outbound/send-webhook.ts'
import { openStorage } from './storage/open-storage.ts'
import type { Storage } from './storage/storage.ts'
import { type Deliverer, startDeliverer } from './workers/deliver-webhooks.ts'
import { removeDeleted } from './workers/remove-deleted.ts'
import { enforceRetention } from './workers/retention.ts'
import { createSendClaim } from './workers/send-claim.ts'
import { createWebhookGateway } from './workers/webhook-gateway.ts'

/** From here, and as deep in the package: there the compiled server is in `packages/server/dist`. */
const DASHBOARD_FOLDER = join(import.meta.dirname, '../../dashboard/dist')
/** After this long a shutdown no longer waits for requests under way. */
export const SHUTDOWN_TIMEOUT_MS = 9_000
const IDLE_CHECK_MS = 50

export interface App {
  readonly storage: Storage
  readonly server: ReturnType<typeof createServer>
  readonly logger: Logger
  /** Answers requests from now on; the promise holds the address. */
  start(): Promise<string>
  /** Finishes what was accepted, commits, and lets go of everything. */
  stop(): Promise<void>
}

interface AppOptions {
  readonly clock?: Clock
  /** From 0 to 1. */
  readonly random?: () => number
  /** How long a receiver of a webhook has to answer. */
  readonly webhookTimeoutMs?: number
  /** How long clients may take. */
  readonly patience?: Patience
  /** What hashing a password costs. */
  readonly hashCost?: HashCost
  /** How often chores are done. */
  readonly intervals?: Intervals
  /** Where the built dashboard is. */
  readonly dashboardFolder?: string
  /** Where log lines go, as JSON; standard error if it is left out. */
  readonly logTo?: DestinationStream
  /** Called when the app can not go on. */
  readonly onCrash?: (error: Error) => void
}

/** The composition root: the only place that knows everything. */
export async function createApp(
  config: Config,
  {
    clock = systemClock,
    random = Math.random,
    webhookTimeoutMs = WEBHOOK_TIMEOUT_MS,
    dashboardFolder = DASHBOARD_FOLDER,
    patience = PATIENCE,
    logTo = pino.destination({ dest: 2, sync: false }),
    hashCost,
    intervals = INTERVALS,
    onCrash,
  }: AppOptions = {},
): Promise<App> {
  const { eventDays, deliveryDays } = config
  const logger = pino({ level: config.logLevel, base: null }, logTo)
  const opening = openStorage(config.databaseUrl, {
    onCrash(error) {
      logger.fatal({ err: error }, 'a thread of the database has failed')
      onCrash?.(error)
    },
    onCommit: (calls, seconds) => metrics.committed(calls, seconds),
    onIndexDamage: (reason) =>
      logger.error(
        { reason },
        'the full-text index is damaged: searches work without it, within bounds; run "bugle doctor --rebuild-search"',
      ),
  })
  // Loaded while another thread opens the database: each of the two takes as long as everything else at a start.
  const [storage, { createMetrics }, http] = await Promise.all([
    opening,
    import('./metrics/metrics.ts'),
    import('./http/server.ts'),
  ])
  const metrics = createMetrics()
  const catalog = createCatalog(storage)
  const intake = createIntake(storage)
  const callers = createCallers({ storage, catalog, clock })
  const eventViews = createEventViews({ storage, catalog })
  const finder = createIssueFinder({ storage, catalog })
  const findWebhook = createWebhookFinder({ storage, catalog })
  const guard = { exceptions: config.allowPrivateWebhooks }
  const messenger = createMessenger({ guard, clock, timeoutMs: webhookTimeoutMs })
  const leaving = new AbortController()
  const gateway = createWebhookGateway({ guard, clock, messenger, signal: leaving.signal })
  const hub = createEventHub(storage.events)
  const limiter = config.rateLimits ? createRateLimiter(config.rateLimits) : undefined
  const checkReadiness = createReadiness(storage)
  const server = http.createServer({
    catalog,
    issues: createIssues({ storage, catalog, clock, eventViews }),
    projects: createProjects({ storage, catalog }),
    stats: createStats({ storage, clock, finder }),
    events: createEvents({ storage, catalog, callers, finder, hub, eventViews }),
    webhooks: createWebhooks({ storage, clock, finder, findWebhook, gateway }),
    deliveries: createDeliveries({ storage, clock, findWebhook }),
    callers,
    people: createPeople({ storage, clock, finder, refresh, hashCost }),
    cookie: createSessionCookie(config.publicUrl),
    deviceCookie: createDeviceCookie(config.publicUrl),
    intake,
    sdkConfigs: createSdkConfigs(catalog),
    rateLimit: limiter ? createRateLimit({ limiter, clock }) : NO_RATE_LIMIT,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    checkReadiness,
    dashboardFolder,
    metrics: {
      token: config.metricsToken,
      render: (connections) => readMetrics({ metrics, storage, checkReadiness, connections }),
    },
    maxConnections: config.maxConnections,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    observer: metrics,
    patience,
    securityTxt: config.securityContacts && { ...config, contacts: config.securityContacts, clock },
    logger,
  })
  const chores = [
    every(intervals.catalogRefresh, refresh, 'projects, keys and people could not be refreshed'),
    every(intervals.intakeFlush, intake.flush, 'refused submissions could not be counted'),
    every(intervals.nodeBeat, shareLimits, 'the rate limits could not be shared with other servers'),
    every(
      intervals.retention,
      () => enforceRetention({ storage, clock, eventDays, deliveryDays }),
      'old events, deliveries and sign-ins could not be removed',
    ),
    every(intervals.removal, () => removeDeleted(storage), 'rows of deleted issues could not be removed'),
    every(intervals.usageFlush, callers.flush, 'the use of keys and sign-ins could not be noted'),
  ]
  let deliverer: Deliverer | undefined

  async function refresh(): Promise<void> {
    const { generation } = catalog
    await catalog.refresh()
    // Whoever follows a stream may have lost the right to.
    if (catalog.generation !== generation) hub.wakeAll()
  }

  async function shareLimits(): Promise<void> {
    const nodes = await storage.beat()
    limiter?.setShare(1 / nodes)
  }

  /** Does something again and again; when it fails, the next time may work. */
  function every(milliseconds: number, chore: () => Promise<void>, complaint: string) {
    return setInterval(
      () => chore().catch((error: unknown) => logger.warn({ err: error }, complaint)),
      milliseconds,
    )
  }

  return {
    storage,
    server,
    logger,
    async start() {
      await Promise.all([catalog.refresh(), shareLimits()])
      deliverer = startDeliverer({
        storage,
        clock,
        random,
        send: createSendClaim({ messenger, clock, eventViews, baseUrl: config.publicUrl }),
        onFault: (error) => logger.warn({ err: error }, 'webhooks could not be delivered'),
        onAttempt: metrics.attempted,
      })
      await server.ready()
      return withoutInfo(logger, () => server.listen({ host: config.host, port: config.port }))
    },
    async stop() {
      // A connection that is busy now is idle in a moment, and only then can it be closed.
      const idling = setInterval(() => server.server.closeIdleConnections(), IDLE_CHECK_MS)
      const overdue = setTimeout(() => server.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
      await Promise.all([server.close(), deliverer?.stop()])
      leaving.abort()
      clearInterval(idling)
      clearTimeout(overdue)
      for (const chore of chores) clearInterval(chore)
      await Promise.allSettled([intake.flush(), callers.flush()])
      hub.close()
      await storage.close()
      logger.flush()
    },
  }
}

/** Fastify logs that it listens, which whoever starts the app says in better words. */
async function withoutInfo<T>(logger: Logger, act: () => Promise<T>): Promise<T> {
  const { level } = logger
  if (logger.isLevelEnabled('info')) logger.level = 'warn'
  try {
    return await act()
  } finally {
    logger.level = level
  }
}
