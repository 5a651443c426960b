import { type DestinationStream, pino } from 'pino'
import type { App, AppOptions } from './app.ts'
import type { Config } from './config.ts'
import { openMetrics } from './metrics/open-metrics.ts'
import { migrationText, openStorage } from './storage/open-storage.ts'

interface OpenOptions extends AppOptions {
  /** The destination for log lines, as JSON. Defaults to standard error. */
  readonly logTo?: DestinationStream
  /** Called when the app cannot continue. */
  readonly onCrash?: (error: Error) => void
  /** Called when the database is open and the code is loaded. */
  readonly onLoaded?: () => void
}

/** Opens the database, and creates the app on it. */
export async function openApp(
  config: Config,
  { logTo = pino.destination({ dest: 2, sync: false }), onCrash, onLoaded, ...options }: OpenOptions = {},
): Promise<App> {
  const logger = pino({ level: config.logLevel, base: null }, logTo)
  const opening = openStorage(config.databaseUrl, {
    onCrash(error) {
      logger.fatal({ err: error }, 'a database thread failed')
      onCrash?.(error)
    },
    onCommit: (calls, seconds) => metrics.committed(calls, seconds),
    onMigrationStep: (step) => logger.info(step, migrationText(step)),
    onIndexDamage: (reason) =>
      logger.error(
        { reason },
        'the full-text index is damaged: searches work without it, within bounds; run "bugle doctor --rebuild-search"',
      ),
  })
  // With SQLite, another thread opens the database meanwhile.
  const [storage, metrics, { createApp }] = await Promise.all([
    opening,
    openMetrics(config.metricsToken),
    import('./app.ts'),
  ])
  onLoaded?.()
  const { from, to, copy } = storage.migration
  if (copy !== undefined)
    logger.info({ from, to, copy }, 'the database was migrated; the copy has it as it was before')
  try {
    return await createApp({ config, storage, metrics, logger }, options)
  } catch (error) {
    await storage.close()
    throw error
  }
}
