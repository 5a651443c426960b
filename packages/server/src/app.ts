import { type Logger, pino } from 'pino'
import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createCatalog } from './domain/catalog.ts'
import { createEventHub } from './domain/event-hub.ts'
import { createEvents } from './domain/events.ts'
import { createIntake } from './domain/intake.ts'
import { createIssueFinder } from './domain/issue-finder.ts'
import { createIssues } from './domain/issues.ts'
import { createKeyUsage } from './domain/key-usage.ts'
import { createProjects } from './domain/projects.ts'
import { createRateLimiter } from './domain/rate-limits.ts'
import { createSdkConfigs } from './domain/sdk-config.ts'
import { createStats } from './domain/stats.ts'
import { createRateLimit, NO_RATE_LIMIT } from './http/rate-limit.ts'
import { createServer } from './http/server.ts'
import { openStorage } from './storage/open-storage.ts'
import type { Storage } from './storage/storage.ts'
import { enforceRetention } from './workers/retention.ts'

/** Half of the second within which a change to a project or key is honoured. */
const CATALOG_REFRESH_MS = 500
const INTAKE_FLUSH_MS = 1_000
const KEY_USAGE_FLUSH_MS = 30_000
const RETENTION_MS = 600_000
/** After this long a shutdown no longer waits for requests under way. */
const SHUTDOWN_TIMEOUT_MS = 9_000
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

interface Surroundings {
  readonly clock?: Clock
  /** Called when the app can not go on. */
  readonly onCrash?: (error: Error) => void
}

/** The composition root: the only place that knows everything. */
export async function createApp(
  config: Config,
  { clock = systemClock, onCrash }: Surroundings = {},
): Promise<App> {
  const logger = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: false }))
  const storage = await openStorage(config.databaseUrl, (error) => {
    logger.fatal({ err: error }, 'the database writer has failed')
    onCrash?.(error)
  })
  const catalog = createCatalog(storage)
  const intake = createIntake(storage)
  const keyUsage = createKeyUsage(storage, clock)
  const finder = createIssueFinder({ storage, catalog })
  const hub = createEventHub(storage.events)
  const server = createServer({
    catalog,
    issues: createIssues({ storage, catalog, clock }),
    projects: createProjects({ storage, catalog }),
    stats: createStats({ storage, clock, finder }),
    events: createEvents({ storage, catalog, finder, hub }),
    keyUsage,
    intake,
    sdkConfigs: createSdkConfigs(catalog),
    rateLimit: config.rateLimits
      ? createRateLimit({ limiter: createRateLimiter(config.rateLimits), clock, intake })
      : NO_RATE_LIMIT,
    trustProxy: config.trustProxy,
    probe: storage.probe,
    logger,
  })
  const chores = [
    every(CATALOG_REFRESH_MS, refresh, 'projects and keys could not be refreshed'),
    every(INTAKE_FLUSH_MS, intake.flush, 'refused submissions could not be counted'),
    every(
      RETENTION_MS,
      () => enforceRetention({ storage, clock, eventDays: config.eventDays }),
      'old events could not be removed',
    ),
    every(KEY_USAGE_FLUSH_MS, keyUsage.flush, 'the use of keys could not be noted'),
  ]

  async function refresh(): Promise<void> {
    const { generation } = catalog
    await catalog.refresh()
    // Whoever follows a stream may have lost the right to.
    if (catalog.generation !== generation) hub.wakeAll()
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
      await catalog.refresh()
      return server.listen({ host: config.host, port: config.port })
    },
    async stop() {
      // A connection that is busy now is idle in a moment, and only then can it be closed.
      const idling = setInterval(() => server.server.closeIdleConnections(), IDLE_CHECK_MS)
      const overdue = setTimeout(() => server.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
      await server.close()
      clearInterval(idling)
      clearTimeout(overdue)
      for (const chore of chores) clearInterval(chore)
      await Promise.allSettled([intake.flush(), keyUsage.flush()])
      hub.close()
      await storage.close()
      logger.flush()
    },
  }
}
