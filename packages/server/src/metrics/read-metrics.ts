import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../storage/storage.ts'
import type { Metrics, Sources } from './metrics.ts'

/** A storage that does not answer within this time is down: whoever reads metrics waits ten seconds or less. */
const PROBE_TIMEOUT_MS = 2_000

interface ReadParts {
  readonly metrics: Metrics
  readonly storage: Pick<Storage, 'probe' | 'countPendingWrites'>
  readonly connections: Sources['connections']
}

/** The metrics of this moment, as text. */
export async function readMetrics({ metrics, storage, connections }: ReadParts): Promise<string> {
  const isStorageUp = await Promise.race([
    storage.probe().then(
      () => true,
      () => false,
    ),
    sleep(PROBE_TIMEOUT_MS, false, { ref: false }),
  ])
  return metrics.render({ pendingWrites: storage.countPendingWrites(), connections, isStorageUp })
}
