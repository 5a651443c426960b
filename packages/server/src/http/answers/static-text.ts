import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isMatched } from './conditional.ts'
import { chooseCoding } from './negotiate.ts'

const TAG_CHARS = 16
/** The best first. */
const CODINGS = ['br', 'gzip'] as const
type Coding = (typeof CODINGS)[number]

/** A text that stays the same as long as the process runs, ready to be sent in every coding. */
export interface StaticText {
  readonly tag: string
  readonly text: string
  readonly codings: Readonly<Record<Coding, Buffer>>
}

const compressWithBrotli = promisify(brotliCompress)
const compressWithGzip = promisify(gzip)

/** Compresses the text outside of the event loop. Create it once and keep it. */
export async function createStaticText(text: string): Promise<StaticText> {
  const bytes = Buffer.from(text)
  const [br, gz] = await Promise.all([
    compressWithBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    compressWithGzip(bytes, { level: 9 }),
  ])
  const tag = hash('sha256', bytes, 'base64url').slice(0, TAG_CHARS)
  return { tag, text, codings: { br, gzip: gz } }
}

/** Sends the text in the coding that the client prefers, or 304 if it already has it. Each coding has its own tag, because its bytes differ. */
export function sendStaticText(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, text, codings }: StaticText,
): FastifyReply {
  const coding = chooseCoding(request.headers['accept-encoding'], CODINGS)
  const etag = coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`
  reply.headers({ etag, vary: 'Accept-Encoding' })
  if (isMatched(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (coding === undefined) return reply.send(text)
  return reply.header('content-encoding', coding).send(codings[coding])
}
