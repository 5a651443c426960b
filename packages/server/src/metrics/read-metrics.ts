import type { Storage } from '../storage/storage.ts'
import type { Metrics, Sources } from './metrics.ts'

interface ReadDependencies {
  readonly metrics: Metrics
  readonly storage: Pick<Storage, 'countPendingWrites'>
  /** Fails, after a few seconds at most, unless the database can be written. */
  readonly checkReadiness: () => Promise<void>
  readonly connections: Sources['connections']
}

/** The metrics of this moment, as text. */
export async function readMetrics({
  metrics,
  storage,
  checkReadiness,
  connections,
}: ReadDependencies): Promise<string> {
  const isStorageUp = await checkReadiness().then(
    () => true,
    () => false,
  )
  return metrics.render({ pendingWrites: storage.countPendingWrites(), connections, isStorageUp })
}
