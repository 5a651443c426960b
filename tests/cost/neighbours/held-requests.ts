import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_ATTACHMENT_LIMITS } from '../../../packages/server/src/domain/attachments/attachment-limits.ts'
import { ENVELOPE_TEXT_BYTES } from '../../../packages/server/src/domain/sentry/envelopes.ts'
import { openSocket, type RawSocket } from '../../support/raw-socket.ts'
import type { Neighbour, Sender, Stage } from './stage.ts'

const { uploads: SLOTS } = DEFAULT_ATTACHMENT_LIMITS
/** More than the server accepts at a time. */
const UPLOADS = SLOTS + 16
const UPLOAD_BYTES = 1024 * 1024
const UPLOADS_PER_ADDRESS = 16
const PIECE = Buffer.alloc(1024)
const PIECE_EVERY_MS = 250
/** The first part of each is not counted. */
const FREE_BYTES = 64 * 1024
const LARGE_TEXT_BYTES = 256 * 1024
/** All that there is room for, and one more. */
const LARGE_TEXTS = Math.floor(ENVELOPE_TEXT_BYTES / (LARGE_TEXT_BYTES - FREE_BYTES)) + 1
/** These take the room that the large ones leave: 8 KiB each are counted. */
const SMALL_TEXT_BYTES = FREE_BYTES + 8 * 1024
const SMALL_TEXTS = 40
/** Less than one event of the victim needs. */
const ROOM_LEFT_BYTES = 16 * 1024
/** Small, because they are sent again and again: what counts is that each takes an upload. */
const HELD_FILE_BYTES = 64 * 1024
const MISSING_BYTES = 30
/** A request that was refused is sent again, sooner than the server asks for. */
const AGAIN_AFTER_MS = 1_000
/** A client does not learn that its file was omitted until the envelope is complete. */
const FILE_HELD_MS = 4_000

/** Uploads of two projects that arrive slowly, and take every slot. */
export async function holdUploads({ url, neighbour, waitUntilHeld }: Stage): Promise<AsyncDisposable> {
  const { request } = neighbour
  const sha256 = hash('sha256', Buffer.alloc(UPLOAD_BYTES))
  const attachments = [{ name: 'a.bin', contentType: 'application/octet-stream', size: UPLOAD_BYTES, sha256 }]
  const declare = async (key: string) => {
    const submissionId = randomUUID()
    const body = { title: 'Slow', submissionId, attachments }
    const { status } = await request({ method: 'POST', path: '/v1/issues', key, body })
    if (status !== 201) throw new Error(`a report of the neighbour got the status ${status}`)
    return `/v1/submissions/${submissionId}/attachments/${sha256}`
  }
  const open = async (path: string, key: string, index: number): Promise<RawSocket> => {
    const socket = await openSocket(url, addressOf(Math.floor(index / UPLOADS_PER_ADDRESS)))
    const head = [
      `PUT ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/octet-stream',
      `Content-Length: ${UPLOAD_BYTES}`,
      '\r\n',
    ]
    socket.write(head.join('\r\n'))
    socket.write(PIECE)
    const sending = setInterval(() => socket.write(PIECE), PIECE_EVERY_MS)
    socket.closed.then(() => clearInterval(sending))
    return socket
  }
  const uploads = await Promise.all(
    Array.from({ length: UPLOADS }, async (_, index) => {
      const { publicKey } = senderOf(neighbour, index)
      const path = await declare(publicKey)
      return () => open(path, publicKey, index)
    }),
  )
  const held = holdOpen(uploads)
  await waitUntilHeld('bugle_attachment_uploads', SLOTS)
  return held
}

/** Envelopes of two projects whose last bytes never arrive, each from an address of its own. A text takes memory, a file an upload. */
export async function holdEnvelopes(
  { url, neighbour, waitUntilHeld }: Stage,
  what: 'text' | 'files',
): Promise<AsyncDisposable> {
  const envelopes =
    what === 'text'
      ? [
          ...Array<Buffer>(LARGE_TEXTS).fill(envelopeWithText(LARGE_TEXT_BYTES)),
          ...Array<Buffer>(SMALL_TEXTS).fill(envelopeWithText(SMALL_TEXT_BYTES)),
        ]
      : Array<Buffer>(UPLOADS).fill(envelopeWithFile())
  const open = async (envelope: Buffer, index: number): Promise<RawSocket> => {
    const { projectNumber, publicKey } = senderOf(neighbour, index)
    const head = [
      `POST /api/${projectNumber}/envelope/ HTTP/1.1`,
      'Host: localhost',
      `X-Sentry-Auth: Sentry sentry_key=${publicKey}`,
      `Content-Length: ${envelope.length}`,
      '\r\n',
    ]
    const socket = await openSocket(url, addressOf(index))
    socket.write(head.join('\r\n'))
    socket.write(envelope.subarray(0, -MISSING_BYTES))
    if (what === 'files') {
      const renewing = setTimeout(socket[Symbol.dispose], (1 + Math.random()) * FILE_HELD_MS)
      socket.closed.then(() => clearTimeout(renewing))
    }
    return socket
  }
  const held = holdOpen(envelopes.map((envelope, index) => () => open(envelope, index)))
  if (what === 'text') await waitUntilHeld('bugle_envelope_bytes', ENVELOPE_TEXT_BYTES - ROOM_LEFT_BYTES)
  else await waitUntilHeld('bugle_attachment_uploads', SLOTS)
  return held
}

/** Two projects in the same hands take turns. */
function senderOf({ first, second }: Neighbour, index: number): Sender {
  return index % 2 === 0 ? first : second
}

/** Opens each connection again whenever the server responds or closes it, until disposed of. */
function holdOpen(opens: readonly (() => Promise<RawSocket>)[]): AsyncDisposable {
  const sockets = new Set<RawSocket>()
  let isOver = false
  const loops = Promise.all(
    opens.map(async (open) => {
      while (!isOver) {
        using socket = await open()
        if (isOver) return
        sockets.add(socket)
        await Promise.race([socket.closed, new Promise((resolve) => socket.socket.once('data', resolve))])
        sockets.delete(socket)
        if (!isOver) await sleep(AGAIN_AFTER_MS)
      }
    }),
  )
  // A failure is reported when this is disposed of.
  loops.catch(() => undefined)
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      for (const socket of sockets) socket[Symbol.dispose]()
      await loops
    },
  }
}

function envelopeWithText(size: number): Buffer {
  const event = JSON.stringify({ message: 'Half-sent', extra: { rest: '' } })
  const rest = 'x'.repeat(size - event.length)
  return Buffer.from(`${envelopeHead()}${event.replace('""', `"${rest}"`)}\n`)
}

function envelopeWithFile(): Buffer {
  const item = JSON.stringify({ type: 'attachment', filename: 'a.bin', length: HELD_FILE_BYTES })
  return Buffer.concat([
    Buffer.from(`${envelopeHead()}{"message":"Half-sent"}\n${item}\n`),
    Buffer.alloc(HELD_FILE_BYTES),
  ])
}

function envelopeHead(): string {
  return `${JSON.stringify({ event_id: randomUUID().replaceAll('-', '') })}\n{"type":"event"}\n`
}

/** Any address of 127.0.0.0/8 but that of the victim. */
function addressOf(index: number): string {
  return `127.0.0.${index + 2}`
}
