import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { collectGarbageOfStart } from '../../../tune-v8.ts'
import { migrateFile } from '../migrations/migrate-file.ts'
import { keepIndexing } from '../writer/keep-indexing.ts'
import { releaseLeases } from '../writer/release-leases.ts'
import { createWriter } from '../writer/writer.ts'
import { type Packed, packResults, unpackCalls } from './pack-calls.ts'

/** The thread that runs the writer. It first sends each step of a migration and then its result, then receives calls and sends their results in the same order. A text in between reports that the full-text index is damaged. An empty list of calls closes it. */
const port = parentPort
if (port === null) throw new Error('writer-thread.ts runs as a worker thread')
// Not a top-level await: the package has each thread as a CommonJS file. A rejection ends the thread, as an error would.
void run(port, (workerData as { path: string }).path)

async function run(port: MessagePort, path: string): Promise<void> {
  const migration = await migrateFile(path, (step) => port.postMessage(step))
  releaseLeases(path)
  const writer = createWriter(path, { onIndexDamage: (reason) => port.postMessage(reason) })
  port.postMessage(migration ?? writer.migration)
  const indexing = keepIndexing(writer)
  collectGarbageOfStart()
  port.on('message', (calls: Packed) => {
    if (calls.length > 0) {
      port.postMessage(packResults(writer.commit(unpackCalls(calls))))
      indexing.keepUp()
      return
    }
    indexing.stop()
    writer.close()
    port.close()
  })
}
