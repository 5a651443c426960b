import { parentPort, workerData } from 'node:worker_threads'
import { createReader, type ReadCall } from './reader.ts'

/** The thread around a reader: numbered calls in, numbered results out. `null` means: close. */
const port = parentPort
if (port === null) throw new Error('reader-thread.ts runs as a worker thread')

const reader = createReader((workerData as { path: string }).path)
port.on('message', (message: readonly [id: number, call: ReadCall] | null) => {
  if (message === null) {
    reader.close()
    port.close()
    return
  }
  const [id, call] = message
  try {
    port.postMessage([id, { value: reader.read(call) }])
  } catch (error) {
    port.postMessage([id, { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }])
  }
})
