import { parentPort, workerData } from 'node:worker_threads'
import type { ListBounds } from '../../model/issue-lists.ts'
import { ReadCancelled } from '../storage.ts'
import { createReader, type ReadCall } from './reader.ts'
import type { Cancelled, ReaderMessage } from './reader-worker.ts'

/** The thread around a reader: first that it is ready, then numbered calls in, a result for each out. `null` means: close. */
const port = parentPort
if (port === null) throw new Error('reader-thread.ts runs as a worker thread')

const { path, bounds, cancelled } = workerData as { path: string; bounds: ListBounds; cancelled: Cancelled }
let current = 0
const reader = createReader(path, bounds, () => {
  if (Atomics.load(cancelled, 0) === current) throw new ReadCancelled()
})
const tell = (message: ReaderMessage) => port.postMessage(message)
tell(null)
port.on('message', (message: readonly [id: number, call: ReadCall] | null) => {
  if (message === null) {
    reader.close()
    port.close()
    return
  }
  const [id, call] = message
  current = id
  const began = performance.now()
  try {
    const value = reader.read(call)
    tell([{ value }, performance.now() - began])
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    tell([{ fault }, performance.now() - began])
  }
})
