import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  envelopeOf,
  type Item,
  sentryAuth,
  sentryPath,
} from '../packages/server/test-support/sentry-stage.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { printedKeys, startServer, type TestServer } from './support/start-server.ts'

const MIB = 2 ** 20
const MOST_GROWTH = 64 * MIB
const AT_ONCE = 16
const WARM_UPS = 30
const ATTEMPTS = 4
/** On a busy machine, a bomb may arrive too slowly, or wait for too long. */
const TOO_SLOW = [408, 'closed'] as const
/**
 * Collects the garbage of the main thread often: otherwise it depends on how busy the machine is how much of it there is. It takes a
 * tenth of the time at most, so that the server still works on a busy machine.
 */
const COLLECTING = `--expose-gc --import=data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads'
  function collect() {
    const from = performance.now()
    gc()
    setTimeout(collect, Math.max(250, 9 * (performance.now() - from))).unref()
  }
  if (isMainThread) collect()
`)}`

type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd'

const PACK: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  // The highest quality, which is the default, would take minutes.
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_windowLog]: 22 } }),
}
const ENCODINGS = Object.keys(PACK) as readonly Encoding[]

interface Body {
  readonly bytes: Buffer
  readonly encoding?: Encoding
  /** Whether each byte is a chunk of its own. */
  readonly isChopped?: boolean
}

function eventId(): string {
  return randomUUID().replaceAll('-', '')
}

function file(bytes: Uint8Array): Item {
  return [{ type: 'attachment', filename: 'a.bin' }, bytes]
}

/** What SDKs send: an event of 20 KB and a screenshot of 1 MiB. */
function usual(): Buffer {
  const event = { message: `Usual ${eventId()}`, extra: { rest: randomBytes(10_000).toString('hex') } }
  return envelopeOf({ event_id: eventId() }, [{ type: 'event' }, event], file(randomBytes(MIB)))
}

/** The largest text that is read: a person's words with an attribute that is not kept, or many empty objects. */
function largest(type: string, rest: unknown = 'x'.repeat(MIB - 300)): Item {
  const words = { message: 'Large', comments: 'Large', contexts: { feedback: { message: 'Large' } } }
  return [{ type }, { ...words, extra: { rest } }]
}

/** An item without a payload: its header would take twenty times as much memory if it were parsed and kept. */
function headerOf(values: number): Item {
  return [{ type: 'unknown', rest: Array(values).fill({}) }, '']
}

interface Bomb {
  readonly envelope: () => Buffer
  readonly as: readonly (Encoding | 'plain' | 'chopped')[]
  readonly statuses: readonly number[]
}

/** What is sent, many at once, and the possible responses: grouped by what takes memory. */
const BOMBS: Readonly<Record<string, Readonly<Record<string, Bomb>>>> = {
  'packed bytes': {
    'unknown items of 200 MiB': {
      envelope: () => envelopeOf({}, [{ type: 'unknown' }, Buffer.alloc(200 * MIB)]),
      as: ENCODINGS,
      statuses: [413],
    },
    'events of 200 MiB without a length': {
      envelope: () => envelopeOf({}, [{ type: 'event', length: undefined }, Buffer.alloc(200 * MIB, 'x')]),
      as: ['gzip', 'br'],
      statuses: [413, 503],
    },
    'lengths of 200 MiB that are wrong': {
      envelope: () => envelopeOf({}, [{ type: 'event', length: 200 * MIB }, Buffer.alloc(5 * MIB)]),
      as: ['gzip'],
      statuses: [200],
    },
  },
  files: {
    'twenty files of 10 MiB': {
      envelope: () =>
        envelopeOf(
          { event_id: eventId() },
          ...Array.from({ length: 20 }, () => file(Buffer.alloc(10 * MIB))),
        ),
      as: ['gzip', 'zstd'],
      statuses: [413],
    },
    'as many files as a report may have': {
      envelope: () =>
        envelopeOf(
          { event_id: eventId() },
          [{ type: 'event' }, { message: 'Large files' }],
          ...Array.from({ length: 3 }, () => file(Buffer.alloc(8 * MIB))),
        ),
      as: ['plain', 'deflate'],
      statuses: [200],
    },
  },
  'tiny pieces': {
    'pieces of one byte': {
      envelope: () => envelopeOf({ event_id: eventId() }, file(Buffer.alloc(128 * 1_024))),
      as: ['chopped'],
      statuses: [200],
    },
  },
  texts: {
    'the largest event, feedback and user report': {
      envelope: () =>
        envelopeOf({ event_id: eventId() }, largest('event'), largest('feedback'), largest('user_report')),
      as: ['plain', 'gzip', 'br'],
      statuses: [200, 503],
    },
    'as many values as fit': {
      envelope: () => envelopeOf({}, largest('event', Array(330_000).fill({}))),
      as: ['plain', 'deflate'],
      statuses: [200, 503],
    },
    'headers of empty objects': {
      envelope: () =>
        envelopeOf({}, ...Array(500).fill(headerOf(21_000)), [{ type: 'event' }, { message: 'x' }]),
      as: ['plain', 'gzip'],
      statuses: [200],
    },
    'a line without an end': {
      envelope: () => Buffer.alloc(20 * MIB, '{"dsn":"'),
      as: ['plain', 'gzip'],
      statuses: [400],
    },
  },
}

test.each(Object.entries(BOMBS))(`${AT_ONCE} bombs at once take at most 64 MiB: %s`, async (_, bombs) => {
  const growths: number[] = []
  // The least of several: garbage that has not been collected yet, and other work of the machine, only add to it.
  while (growths.length < ATTEMPTS && !growths.some((growth) => growth < MOST_GROWTH))
    growths.push(await growthOf(bombs))
  expect(Math.min(...growths)).toBeLessThan(MOST_GROWTH)
})

/** How many more bytes are resident at most while bombs arrive than after usual envelopes. */
async function growthOf(bombs: Readonly<Record<string, Bomb>>): Promise<number> {
  using folder = temporaryFolder()
  const server = await startServer(join(folder.path, 'bugle.db'), { NODE_OPTIONS: COLLECTING })
  await using _ = server
  const send = await senderTo(server)
  // Usual envelopes take memory too, until the garbage is collected.
  let before = 0
  for (let round = 0; round < WARM_UPS; round++) {
    const bodies = [undefined, ...ENCODINGS].map((encoding) =>
      encoding ? { bytes: PACK[encoding](usual()), encoding } : { bytes: usual() },
    )
    expect(new Set(await Promise.all(bodies.map(send)))).toEqual(new Set([200]))
    before = Math.max(before, residentBytes(server.pid))
  }
  let most = 0
  for (const [name, { envelope, as, statuses }] of Object.entries(bombs)) {
    const bytes = envelope()
    for (const way of as) {
      const body: Body =
        way === 'plain' || way === 'chopped'
          ? { bytes, isChopped: way === 'chopped' }
          : { bytes: PACK[way](bytes), encoding: way }
      const got = await Promise.all(Array.from({ length: AT_ONCE }, () => send(body)))
      const possible = [...statuses, ...TOO_SLOW]
      expect(possible, `${name}, ${way}`).toEqual(expect.arrayContaining([...new Set(got)]))
      const growth = mostResidentBytes(server.pid) - before
      process.stdout.write(`${name}, ${way}: at most ${Math.round(growth / MIB)} MiB more so far\n`)
      most = Math.max(most, growth)
    }
  }
  expect(await send({ bytes: usual() })).toBe(200)
  return most
}

/** Sends each body on a connection of its own, as the server closes it after a body that it refuses. */
async function senderTo(server: TestServer): Promise<(body: Body) => Promise<number | 'closed'>> {
  const keys = await printedKeys(server)
  const headers = { authorization: `Bearer ${keys.secretKey}` }
  const projects = (await (await fetch(`${server.url}/v1/projects`, { headers })).json()) as Projects
  const path = sentryPath(projects.data[0] ?? { id: 'prj_' })
  return ({ bytes, encoding, isChopped }) =>
    new Promise((resolve) => {
      const length = isChopped ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.length }
      const sent = request(`${server.url}${path}`, {
        agent: false,
        method: 'POST',
        headers: { ...sentryAuth(keys), ...length, ...(encoding && { 'content-encoding': encoding }) },
      })
      let status: number | 'closed' = 'closed'
      sent.on('response', (response) => {
        status = response.statusCode ?? 'closed'
        response.on('error', () => undefined).resume()
      })
      // The rest of a refused body cannot be sent.
      sent.on('error', () => undefined).on('close', () => resolve(status))
      if (isChopped) sent.once('socket', (socket) => socket.once('connect', () => socket.write(chop(bytes))))
      if (isChopped) sent.flushHeaders()
      else sent.end(bytes)
    })
}

/** Each byte as a chunk of HTTP/1.1. */
function chop(bytes: Buffer): Buffer {
  const chunk = Buffer.from('1\r\n?\r\n')
  const chopped = Buffer.alloc(bytes.length * chunk.length, chunk)
  for (let at = 0; at < bytes.length; at++) chopped[at * chunk.length + 3] = bytes[at] ?? 0
  return Buffer.concat([chopped, Buffer.from('0\r\n\r\n')])
}

interface Projects {
  readonly data: readonly { readonly id: `prj_${string}` }[]
}

/** Linux only, as the other tests that measure memory. */
function residentBytes(pid: number): number {
  return statusOf(pid, 'VmRSS')
}

/** Since the process started, as the kernel counts it: no sample could miss a short peak. */
function mostResidentBytes(pid: number): number {
  return statusOf(pid, 'VmHWM')
}

function statusOf(pid: number, name: string): number {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )?.[1]
  return Number(kibibytes) * 1_024
}
