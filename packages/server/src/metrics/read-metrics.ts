import type { Storage } from '../storage/storage.ts'
import type { Metrics, Sources } from './metrics.ts'

interface ReadDependencies {
  readonly metrics: Metrics
  readonly storage: Pick<Storage, 'countPendingWrites' | 'attachments'>
  /** The uploads in progress. */
  readonly slots: { readonly taken: number }
  /** Fails, after a few seconds at most, unless the database can be written. */
  readonly checkReadiness: () => Promise<void>
  readonly connections: Sources['connections']
}

/** The current metrics, as text. */
export async function readMetrics({
  metrics,
  storage,
  slots,
  checkReadiness,
  connections,
}: ReadDependencies): Promise<string> {
  const isStorageUp = await checkReadiness().then(
    () => true,
    () => false,
  )
  const fileBytes = isStorageUp ? await storage.attachments.totalBytes().catch(() => null) : null
  const pendingWrites = storage.countPendingWrites()
  return metrics.render({ pendingWrites, connections, isStorageUp, fileBytes, uploads: slots.taken })
}
