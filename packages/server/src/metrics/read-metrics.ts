import type { Storage } from '../storage/storage.ts'
import type { Metrics, PoolFigures, Sources } from './metrics.ts'

interface ReadDependencies {
  readonly metrics: Metrics
  readonly storage: Pick<Storage, 'countPendingWrites' | 'attachments'>
  /** The uploads in progress. */
  readonly slots: PoolFigures
  /** The texts of envelopes in progress. */
  readonly texts: PoolFigures
  /** Fails, after a few seconds at most, unless the database can be written. */
  readonly checkReadiness: () => Promise<void>
  readonly connections: Sources['connections']
}

/** The current metrics, as text. */
export async function readMetrics({
  metrics,
  storage,
  slots,
  texts,
  checkReadiness,
  connections,
}: ReadDependencies): Promise<string> {
  const isStorageUp = await checkReadiness().then(
    () => true,
    () => false,
  )
  const fileBytes = isStorageUp ? await storage.attachments.totalBytes().catch(() => null) : null
  const pendingWrites = storage.countPendingWrites()
  return metrics.render({ pendingWrites, connections, isStorageUp, fileBytes, uploads: slots, texts })
}
