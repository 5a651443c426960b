import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Pool } from 'undici'
import type { SubmitterOptions, SubmitterResult } from './submitter.ts'

const SUBMIT_PAUSE_MS = 3
const TIMEOUT_MS = 60_000

/** The thread of a submitter: receives `start` and `stop`, and sends one result for each pair. */
const { url, key } = workerData as SubmitterOptions
const pool = new Pool(url, { connections: 1, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
let isStopped = true

parentPort?.on('message', (message: 'start' | 'stop') => {
  isStopped = message === 'stop'
  if (isStopped) return
  const report = (result: SubmitterResult) => parentPort?.postMessage(result)
  // An uncaught error in a thread would end the whole process and leave the measured server behind.
  submitUntilStopped().then(
    (times) => report({ times }),
    (error: unknown) => report({ fault: String(error) }),
  )
})

async function submitUntilStopped(): Promise<readonly number[]> {
  const times: number[] = []
  while (!isStopped) {
    const began = performance.now()
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/v1/issues',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Beside' }),
    })
    await body.dump()
    if (statusCode !== 201) throw new Error(`a submission beside got the status ${statusCode}`)
    times.push(performance.now() - began)
    await sleep(SUBMIT_PAUSE_MS)
  }
  return times
}
