import type { Worker } from 'node:worker_threads'
import type { Migration, MigrationStep, StorageObserver } from '../../storage.ts'
import { startThread } from './start-thread.ts'

export interface WriterThread {
  readonly worker: Worker
  readonly migration: Migration
}

/** Starts the writer's thread, which opens the database; resolves when it has been migrated. */
export async function startWriter(
  path: string,
  { onMigrationStep }: Pick<StorageObserver, 'onMigrationStep'>,
): Promise<WriterThread> {
  const worker = startThread('writer-thread', path)
  const migration = await new Promise<Migration>((resolve, reject) => {
    function hear(message: Migration | MigrationStep): void {
      if ('step' in message) {
        onMigrationStep?.(message)
        return
      }
      // The thread is silent until its first step of indexing, half a second later; its host listens long before.
      worker.off('message', hear).off('error', reject)
      resolve(message)
    }
    worker.on('message', hear).on('error', reject)
  })
  return { worker, migration }
}
