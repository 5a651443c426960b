import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Pool } from 'undici'
import { REUSED_WITHIN_MS, type VictimKind, type VictimOptions, type VictimResult } from './victim.ts'

const PACE_MS = 50
const CONNECTIONS = 64
const TIMEOUT_MS = 60_000
/** More than the server grants to every request, whatever others hold. */
const LARGE_EVENT_BYTES = 128 * 1024
const FILE_BYTES = 32 * 1024

/** The thread of a victim: receives how many requests of a kind to send, and sends the result back. */
const { url, key, projectNumber } = workerData as VictimOptions
const pool = new Pool(url, {
  connections: CONNECTIONS,
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
  keepAliveMaxTimeout: REUSED_WITHIN_MS,
})

/** Each resolves to the first status that was not a success, if there was one. */
const SENDERS: Readonly<Record<VictimKind, () => Promise<number | undefined>>> = {
  submissions: () => submit({ title: 'Beside' }),
  async uploads() {
    const file = someFile()
    const sha256 = hash('sha256', file)
    const submissionId = randomUUID()
    const attachments = [{ name: 'a.bin', contentType: 'application/octet-stream', size: FILE_BYTES, sha256 }]
    const path = `/v1/submissions/${submissionId}/attachments/${sha256}`
    return (
      (await submit({ title: 'Beside', submissionId, attachments })) ??
      (await send('PUT', path, { 'content-type': 'application/octet-stream' }, file))
    )
  },
  'large events': () => sendEnvelope({ extra: { rest: 'x'.repeat(LARGE_EVENT_BYTES) } }),
  'events with files': () => sendEnvelope({}, someFile()),
}

parentPort?.on('message', ({ kind, count }: { readonly kind: VictimKind; readonly count: number }) => {
  const report = (result: VictimResult) => parentPort?.postMessage(result)
  // An uncaught error in a thread would end the whole process and leave the measured server behind.
  sendAll(SENDERS[kind], count).then(report, (error: unknown) => report({ fault: String(error) }))
})

/** Sends at a fixed pace, whether or not earlier requests have been answered. */
async function sendAll(
  sendOne: () => Promise<number | undefined>,
  count: number,
): Promise<Exclude<VictimResult, { fault: string }>> {
  const times: number[] = []
  const refusals: number[] = []
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await sleep(index * PACE_MS)
      const began = performance.now()
      const refusal = await sendOne()
      times.push(performance.now() - began)
      if (refusal !== undefined) refusals.push(refusal)
    }),
  )
  return { times, refusals }
}

function submit(report: object): Promise<number | undefined> {
  return send('POST', '/v1/issues', { 'content-type': 'application/json' }, JSON.stringify(report))
}

function sendEnvelope(event: object, file?: Buffer): Promise<number | undefined> {
  const id = randomUUID().replaceAll('-', '')
  const parts = [
    `${JSON.stringify({ event_id: id })}\n{"type":"event"}\n${JSON.stringify({ message: 'Beside', fingerprint: [id], ...event })}\n`,
    ...(file
      ? [`${JSON.stringify({ type: 'attachment', filename: 'a.bin', length: file.length })}\n`, file]
      : []),
  ]
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return send(
    'POST',
    `/api/${projectNumber}/envelope/`,
    { 'x-sentry-auth': `Sentry sentry_key=${key}` },
    body,
  )
}

async function send(
  method: 'POST' | 'PUT',
  path: string,
  headers: Record<string, string>,
  content: string | Buffer,
): Promise<number | undefined> {
  const authorization = 'x-sentry-auth' in headers ? {} : { authorization: `Bearer ${key}` }
  const { statusCode, body } = await pool.request({
    method,
    path,
    headers: { ...authorization, ...headers },
    body: content,
  })
  await body.dump()
  return statusCode < 300 ? undefined : statusCode
}

/** Different bytes each time, because a project stores the same bytes once. */
function someFile(): Buffer {
  const file = Buffer.alloc(FILE_BYTES)
  file.write(randomUUID())
  return file
}
