import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type Client, openClient } from './support/load.ts'
import { printedKeys, startServer } from './support/start-server.ts'

const UPLOADS = 64
const FILE_BYTES = 10 * 2 ** 20
const MOST_GROWTH = 64 * 2 ** 20
/** With the pause after each piece, an upload takes about half a minute. */
const PIECE_BYTES = 16 * 1024
const WARM_UP = 3_000
/** Collects garbage often: otherwise it depends on how busy the machine is how much of it there is. */
const COLLECTING = '--expose-gc --import=data:text/javascript,setInterval(gc,250).unref()'

/** Sends in small pieces, so that all uploads are in progress at the same time. */
async function* slowly(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES)
    await sleep(50)
  }
}

test('64 slow uploads of 10 MiB at once take little memory, and submissions continue', async () => {
  using folder = temporaryFolder()
  const server = await startServer(join(folder.path, 'bugle.db'), {
    BUGLE_ATTACHMENT_LIMITS: `uploads=${UPLOADS}`,
    NODE_OPTIONS: COLLECTING,
  })
  await using _ = server
  const keys = await printedKeys(server)
  const headers = { authorization: `Bearer ${keys.secretKey}`, 'content-type': 'application/json' }
  const submit = async (body: object) =>
    (await fetch(`${server.url}/v1/issues`, { method: 'POST', headers, body: JSON.stringify(body) })).status
  // Submissions alone take memory too, until the garbage is collected.
  let before = 0
  for (let warm = 0; warm < WARM_UP; warm++) {
    await submit({ title: 'Meanwhile' })
    before = Math.max(before, residentBytes(server.pid))
  }

  const bytes = randomBytes(FILE_BYTES)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const attachments = [{ name: 'a.bin', contentType: 'application/octet-stream', size: FILE_BYTES, sha256 }]
  const ids = Array.from({ length: UPLOADS }, () => randomUUID())
  for (const submissionId of ids)
    expect(await submit({ title: 'Large', submissionId, attachments })).toBe(201)
  const uploading = Promise.all(
    ids.map(async (submissionId) => {
      const init = { method: 'PUT', headers, body: ReadableStream.from(slowly(bytes)), duplex: 'half' }
      const path = `/v1/submissions/${submissionId}/attachments/${sha256}`
      return (await fetch(server.url + path, init as RequestInit)).status
    }),
  )
  let most = 0
  let isOver = false
  uploading.finally(() => {
    isOver = true
  })
  let submitted = 0
  while (!isOver) {
    expect(await submit({ title: 'Meanwhile' })).toBe(201)
    submitted++
    most = Math.max(most, residentBytes(server.pid))
  }
  expect(new Set(await uploading)).toEqual(new Set([201]))
  expect(submitted).toBeGreaterThan(20)
  process.stdout.write(
    `64 uploads: ${Math.round((most - before) / 2 ** 20)} MiB more than submissions alone\n`,
  )
  expect(most - before).toBeLessThan(MOST_GROWTH)
})

const ROUNDS = 12
const ROUND_MS = 1_000
const SUBMITTERS = 8
/** A client sends a kibibyte eight times a second: 8 KiB/s, in as many pieces as a slow network makes of it. */
const SLOW_PIECE = Buffer.alloc(1_024, 'x')
const SLOW_PAUSE_MS = 125
const LEAST_SHARE = 0.9
const ATTEMPTS = 5

test('submissions beside 64 slow uploads keep nine tenths of their rate', async () => {
  using folder = temporaryFolder()
  const limits = `uploads=${UPLOADS}`
  const server = await startServer(join(folder.path, 'bugle.db'), { BUGLE_ATTACHMENT_LIMITS: limits })
  await using _ = server
  const keys = await printedKeys(server)
  await using client = openClient(server.url, keys.secretKey)
  const uploads = await Promise.all(
    Array.from({ length: UPLOADS }, () => startUpload(server.url, client, keys)),
  )

  /** Submits in a closed loop. The work of uploads in the meantime is counted too. */
  async function round(isUploading: boolean): Promise<Round> {
    const ending = performance.now() + ROUND_MS
    const from = performance.now()
    const cpuBefore = cpuSeconds(server.pid)
    let submitted = 0
    const submitters = Array.from({ length: SUBMITTERS }, async () => {
      while (performance.now() < ending) {
        expect((await client.submit({ title: 'Meanwhile' })).status).toBe(201)
        submitted++
      }
    })
    if (isUploading) submitters.push(sendSlowly(uploads, ending))
    await Promise.all(submitters)
    const seconds = (performance.now() - from) / 1_000
    return { submitted, seconds, cpu: cpuSeconds(server.pid) - cpuBefore }
  }

  for (let warm = 0; warm < 3; warm++) await round(true)
  let ofUploads = Number.POSITIVE_INFINITY
  // The least of several: other work on the machine makes some of them inexact.
  for (let attempt = 0; attempt < ATTEMPTS && 1 - ofUploads <= LEAST_SHARE; attempt++)
    ofUploads = Math.min(ofUploads, await shareOfUploads(round))
  for (const upload of uploads) upload.destroy()
  expect(1 - ofUploads).toBeGreaterThan(LEAST_SHARE)
})

/** What the uploads take of a core. In CPU time, because rates depend on what else the machine does: it is missing for submissions. */
async function shareOfUploads(round: (isUploading: boolean) => Promise<Round>): Promise<number> {
  const [alone, beside]: [Round[], Round[]] = [[], []]
  for (let pair = 0; pair < ROUNDS; pair++) {
    // In turn first and second, so that neither gains by a machine that gets busier.
    const order = pair % 2 === 0 ? [true, false] : [false, true]
    for (const isUploading of order) (isUploading ? beside : alone).push(await round(isUploading))
  }
  const ofSubmission = sum(alone, 'cpu') / sum(alone, 'submitted')
  const ofUploads = (sum(beside, 'cpu') - ofSubmission * sum(beside, 'submitted')) / sum(beside, 'seconds')
  const rateOf = (rounds: readonly Round[]) => sum(rounds, 'submitted') / sum(rounds, 'seconds')
  const perCpuSecond = (rounds: readonly Round[]) => sum(rounds, 'submitted') / sum(rounds, 'cpu')
  process.stdout.write(
    `64 slow uploads take ${(ofUploads * 100).toFixed(1)} % of a core; submissions beside them: ${(rateOf(beside) / rateOf(alone)).toFixed(3)} of the rate alone (${Math.round(rateOf(alone))}/s), ${(perCpuSecond(beside) / perCpuSecond(alone)).toFixed(3)} per CPU second\n`,
  )
  return ofUploads
}

interface Round {
  readonly submitted: number
  readonly seconds: number
  /** The CPU seconds of the server. */
  readonly cpu: number
}

function sum(rounds: readonly Round[], field: keyof Round): number {
  return rounds.reduce((total, round) => total + round[field], 0)
}

/** An upload whose bytes are still to be sent. */
async function startUpload(
  url: string,
  client: Client,
  { secretKey }: { readonly secretKey: string },
): Promise<ClientRequest> {
  const submissionId = randomUUID()
  const sha256 = createHash('sha256').update(submissionId).digest('hex')
  const attachments = [{ name: 'a.bin', contentType: 'application/octet-stream', size: FILE_BYTES, sha256 }]
  expect((await client.submit({ title: 'Large', submissionId, attachments })).status).toBe(201)
  const headers = { authorization: `Bearer ${secretKey}`, 'content-length': FILE_BYTES }
  const upload = request(`${url}/v1/submissions/${submissionId}/attachments/${sha256}`, {
    method: 'PUT',
    headers,
  })
  // It is cut off at the end of the test.
  upload.on('error', () => undefined)
  upload.write(SLOW_PIECE)
  return upload
}

async function sendSlowly(uploads: readonly ClientRequest[], ending: number): Promise<void> {
  await Promise.all(
    uploads.map(async (upload, index) => {
      await sleep((index * SLOW_PAUSE_MS) / uploads.length)
      while (performance.now() < ending) {
        expect(upload.destroyed).toBe(false)
        upload.write(SLOW_PIECE)
        await sleep(SLOW_PAUSE_MS)
      }
    }),
  )
}

/** Of all threads of a process, in hundredths. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Linux only, as the other tests that measure memory. */
function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) * 1_024
}
