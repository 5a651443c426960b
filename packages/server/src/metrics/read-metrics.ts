import type { FileStore } from '../storage/files/file-store.ts'
import type { DatabaseSize } from '../storage/inspection.ts'
import type { Storage } from '../storage/storage.ts'
import type { Metrics, PoolFigures, Sources } from './metrics.ts'

interface ReadDependencies {
  readonly metrics: Metrics
  readonly storage: Pick<Storage, 'countPendingWrites' | 'attachments' | 'deliveries'>
  readonly store: Pick<FileStore, 'space'>
  /** The uploads in progress. */
  readonly slots: PoolFigures
  /** The texts of envelopes in progress. */
  readonly texts: PoolFigures
  readonly clockWatch: { readonly leadMs: number | null }
  /** Fails, after a few seconds at most, unless the database can be written. */
  readonly checkReadiness: () => Promise<void>
  readonly measureDatabase: (isStorageUp: boolean) => Promise<DatabaseSize | null>
  readonly connections: Sources['connections']
  readonly clock: () => number
  /** `null`: there are no scheduled backups. */
  readonly backupSchedule: {
    readonly latest: { readonly at: number; readonly bytes: number } | null
  } | null
}

/** The current metrics, as text. */
export async function readMetrics(parts: ReadDependencies): Promise<string> {
  const { metrics, storage, store, slots, texts, clockWatch, connections } = parts
  const { clock, backupSchedule, checkReadiness, measureDatabase } = parts
  const isStorageUp = await checkReadiness().then(
    () => true,
    () => false,
  )
  // A database that cannot be written is not asked for more, except for the size of a file: it matters most when the disk is full.
  const [database, fileSpace, fileBytes, webhooks] = await Promise.all([
    measureDatabase(isStorageUp),
    store.space().catch(() => null),
    isStorageUp ? storage.attachments.totalBytes().catch(() => null) : null,
    isStorageUp ? storage.deliveries.tally().catch(() => null) : null,
  ])
  const latest = backupSchedule?.latest ?? null
  return metrics.render({
    pendingWrites: storage.countPendingWrites(),
    connections,
    isStorageUp,
    fileBytes,
    uploads: slots,
    texts,
    webhooks,
    database,
    fileSpace,
    backup: latest && { ageSeconds: (clock() - latest.at) / 1_000, bytes: latest.bytes },
    clockLeadSeconds: clockWatch.leadMs === null ? null : clockWatch.leadMs / 1_000,
  })
}
