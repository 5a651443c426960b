import { parentPort, workerData } from 'node:worker_threads'
import type { ListBounds } from '../../../model/issue-lists.ts'
import { ReadCancelled } from '../../storage.ts'
import { type Cancelled, createReader, type ReadCall, type ReadResult } from '../readers/reader.ts'

/** The thread that runs a reader: it receives numbered calls, and sends a result for each. `null` closes it. */
const port = parentPort
if (port === null) throw new Error('reader-thread.ts runs as a worker thread')

const { path, bounds, cancelled } = workerData as { path: string; bounds: ListBounds; cancelled: Cancelled }
let current = 0
const reader = createReader(path, bounds, () => {
  if (Atomics.load(cancelled, 0) === current) throw new ReadCancelled()
})
const tell = (result: ReadResult) => port.postMessage(result)
port.on('message', (message: readonly [id: number, call: ReadCall] | null) => {
  if (message === null) {
    reader.close()
    port.close()
    return
  }
  const [id, call] = message
  current = id
  try {
    tell({ value: reader.read(call) })
  } catch (error) {
    tell({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
