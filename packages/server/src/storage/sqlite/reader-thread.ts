import { parentPort, workerData } from 'node:worker_threads'
import { createReader, type ReadCall } from './reader.ts'
import type { ReaderMessage } from './reader-worker.ts'

/** The thread around a reader: first that it is ready, then numbered calls in, numbered results out. `null` means: close. */
const port = parentPort
if (port === null) throw new Error('reader-thread.ts runs as a worker thread')

const reader = createReader((workerData as { path: string }).path)
const tell = (message: ReaderMessage) => port.postMessage(message)
tell(null)
port.on('message', (message: readonly [id: number, call: ReadCall] | null) => {
  if (message === null) {
    reader.close()
    port.close()
    return
  }
  const [id, call] = message
  const began = performance.now()
  try {
    const value = reader.read(call)
    tell([id, { value }, performance.now() - began])
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    tell([id, { fault }, performance.now() - began])
  }
})
