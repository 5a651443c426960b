import { hash, randomUUID } from 'node:crypto'
import { openSocket, type RawSocket } from '../../support/raw-socket.ts'
import type { Stage } from './stage.ts'

/** Of each key. Together they are more than the server accepts at a time. */
const UPLOADS = 68
const UPLOAD_BYTES = 1024 * 1024
const UPLOADS_PER_ADDRESS = 16
const PIECE = Buffer.alloc(1024)
const PIECE_EVERY_MS = 250
/** A text takes memory that all projects share, except for its first 64 KiB. A file is stored while it arrives, and takes an upload. */
const ENVELOPES = 40
const HELD_TEXT_BYTES = 256 * 1024
const HELD_FILE_BYTES = 1024 * 1024
const MISSING_BYTES = 30

/** Uploads of two projects that arrive slowly, and take every slot. */
export async function holdUploads({ url, neighbour }: Stage): Promise<AsyncDisposable> {
  const { publicKey, secondPublicKey, request } = neighbour
  const sha256 = hash('sha256', Buffer.alloc(UPLOAD_BYTES))
  const attachments = [{ name: 'a.bin', contentType: 'application/octet-stream', size: UPLOAD_BYTES, sha256 }]
  const open = async (key: string, index: number): Promise<RawSocket> => {
    const submissionId = randomUUID()
    const body = { title: 'Slow', submissionId, attachments }
    const { status } = await request({ method: 'POST', path: '/v1/issues', key, body })
    if (status !== 201) throw new Error(`a report of the neighbour got the status ${status}`)
    const socket = await openSocket(url, addressOf(Math.floor(index / UPLOADS_PER_ADDRESS)))
    const head = [
      `PUT /v1/submissions/${submissionId}/attachments/${sha256} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/octet-stream',
      `Content-Length: ${UPLOAD_BYTES}`,
      '\r\n',
    ]
    socket.write(head.join('\r\n'))
    socket.write(PIECE)
    return socket
  }
  const sockets = await Promise.all(
    [publicKey, secondPublicKey].flatMap((key) =>
      Array.from({ length: UPLOADS }, (_, index) => open(key, index)),
    ),
  )
  const sending = setInterval(() => {
    for (const socket of sockets) socket.write(PIECE)
  }, PIECE_EVERY_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(sending)
      for (const socket of sockets) socket[Symbol.dispose]()
    },
  }
}

/** Envelopes whose last bytes never arrive. */
export async function holdEnvelopes(
  { url, neighbour: { publicKey, projectNumber } }: Stage,
  held: 'text' | 'files',
): Promise<AsyncDisposable> {
  const envelope = held === 'text' ? envelopeWithText() : envelopeWithFile()
  const head = [
    `POST /api/${projectNumber}/envelope/ HTTP/1.1`,
    'Host: localhost',
    `X-Sentry-Auth: Sentry sentry_key=${publicKey}`,
    `Content-Length: ${envelope.length}`,
    '\r\n',
  ]
  const sockets = await Promise.all(
    Array.from({ length: ENVELOPES }, async (_, index) => {
      const socket = await openSocket(url, addressOf(index))
      socket.write(head.join('\r\n'))
      await new Promise((resolve) => socket.socket.write(envelope.subarray(0, -MISSING_BYTES), resolve))
      return socket
    }),
  )
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket[Symbol.dispose]()
    },
  }
}

function envelopeWithText(): Buffer {
  const event = JSON.stringify({ message: 'Half-sent', extra: { rest: '' } })
  const rest = 'x'.repeat(HELD_TEXT_BYTES - event.length)
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
