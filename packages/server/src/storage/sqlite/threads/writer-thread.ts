import { parentPort, workerData } from 'node:worker_threads'
import { keepIndexing } from '../writer/keep-indexing.ts'
import { releaseLeases } from '../writer/release-leases.ts'
import { createWriter } from '../writer/writer.ts'
import { type Packed, packResults, unpackCalls } from './pack-calls.ts'

/** The thread around the writer: first what the migration did, then calls in, results out, in the same order; in between, as a text, that the full-text index is damaged. An empty list of calls means: close. */
const port = parentPort
if (port === null) throw new Error('writer-thread.ts runs as a worker thread')

const { path } = workerData as { path: string }
releaseLeases(path)
const writer = createWriter(path, (reason) => port.postMessage(reason))
port.postMessage(writer.migration)
const indexing = keepIndexing(writer)
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
