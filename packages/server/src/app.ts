import { type Logger, pino } from 'pino'
import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createCatalog } from './domain/catalog.ts'
import { createIssues } from './domain/issues.ts'
import { createProjects } from './domain/projects.ts'
import { createServer } from './http/server.ts'
import { openStorage } from './storage/open-storage.ts'
import type { Storage } from './storage/storage.ts'

/** Half of the second within which a change to a project or key is honoured. */
const CATALOG_REFRESH_MS = 500
/** After this long a shutdown no longer waits for requests under way. */
const SHUTDOWN_TIMEOUT_MS = 9_000

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
  const server = createServer({
    catalog,
    issues: createIssues({ storage, catalog, clock }),
    projects: createProjects(catalog),
    probe: storage.probe,
    logger,
  })
  const refreshing = setInterval(() => {
    catalog
      .refresh()
      .catch((error: unknown) => logger.warn({ err: error }, 'projects and keys could not be refreshed'))
  }, CATALOG_REFRESH_MS)

  return {
    storage,
    server,
    logger,
    async start() {
      await catalog.refresh()
      return server.listen({ host: config.host, port: config.port })
    },
    async stop() {
      const overdue = setTimeout(() => server.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
      await server.close()
      clearTimeout(overdue)
      clearInterval(refreshing)
      await storage.close()
      logger.flush()
    },
  }
}
