import { pipeline, Readable, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import type { SentryEncoding } from '@bugle/contract/sentry'
import { DomainError } from '../../domain/domain-error.ts'
import { createTurns } from '../../domain/events/turns.ts'
import { createByteBlocks } from '../../model/sentry/byte-blocks.ts'

const CHUNK_BYTES = 64 * 1024
/** 4 MiB, which compressors exceed only at their highest levels. The defaults would let a few bytes claim 16 and 128 MiB. */
const MAX_WINDOW_LOG = 22

const DECODERS: Readonly<Record<SentryEncoding, () => Transform>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: () => createInflate({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
  zstd: () =>
    createZstdDecompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG },
    }),
}
/** Decoders with a window of megabytes: one runs at a time, and only once all bytes have arrived, so that slow clients occupy none. */
const WIDE: ReadonlySet<SentryEncoding> = new Set(['br', 'zstd'])

/** Whether no other body is unpacked while one with this encoding is: its reader must not wait for anything slow. */
export function isUnpackedAlone(encoding: string | undefined): boolean {
  return WIDE.has(nameOf(encoding) as SentryEncoding)
}

function nameOf(encoding: string | undefined): string | undefined {
  return encoding?.trim().toLowerCase()
}

export interface DecodeBounds {
  /** Of the unpacked bytes. */
  readonly maxBytes: number
  /** Called for packed bytes that are held until all have arrived; fails if they may not be. */
  holdPacked(count: number): Promise<void>
}

/**
 * The unpacked bytes, as they arrive. Fails once there are more than `maxBytes`, before any more is unpacked. A chunk is valid
 * only until the next one is read, because its memory is freed then.
 */
export type DecodeBody = (
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  bounds: DecodeBounds,
) => AsyncGenerator<Uint8Array>

export function createBodyDecoder(): DecodeBody {
  const wideTurns = createTurns(1)

  /** Resolves when no other wide decoder is running. The returned function lets the next one run. */
  function takeTurn(): Promise<() => void> {
    return new Promise((resolve) => {
      wideTurns.take(() => new Promise<void>((endTurn) => resolve(endTurn)))
    })
  }

  async function* unpackWide(
    bytes: AsyncIterable<Uint8Array>,
    name: SentryEncoding,
    { holdPacked }: DecodeBounds,
  ): AsyncGenerator<Uint8Array> {
    const packed = createByteBlocks()
    for await (const chunk of bytes) {
      await holdPacked(chunk.length)
      packed.push(chunk)
    }
    const blocks = packed.blocks()
    if (name === 'br' && brotliWindowLog(blocks[0]?.[0]) > MAX_WINDOW_LOG) throw cannotUnpack(name)
    const endTurn = await takeTurn()
    try {
      yield* unpack(blocks, name)
    } finally {
      endTurn()
    }
  }

  return async function* decode(bytes, encoding, bounds) {
    const name = nameOf(encoding) as SentryEncoding | undefined
    const isPacked = name !== undefined && Object.hasOwn(DECODERS, name)
    const free = isPacked ? freeUnpacked : freeReceived
    let count = 0
    const chunks = !isPacked ? bytes : WIDE.has(name) ? unpackWide(bytes, name, bounds) : unpack(bytes, name)
    for await (const chunk of chunks) {
      count += chunk.length
      if (count > bounds.maxBytes) throw tooLarge(bounds.maxBytes)
      yield chunk
      free(chunk)
    }
  }
}

export function tooLarge(maxBytes: number): DomainError {
  return new DomainError('content-too-large', {
    detail: `The unpacked body has more than ${maxBytes.toLocaleString('en')} bytes.`,
  })
}

async function* unpack(
  bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  name: SentryEncoding,
): AsyncGenerator<Uint8Array> {
  const decoder = DECODERS[name]()
  // The error is thrown by the loop below.
  pipeline(Readable.from(bytes), decoder, () => undefined)
  try {
    yield* decoder
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    throw Object.assign(cannotUnpack(name), { cause })
  }
}

function cannotUnpack(name: SentryEncoding): DomainError {
  return new DomainError('malformed-body', { detail: `The body cannot be unpacked as ${name}.` })
}

/** The first bits of a Brotli stream are the size of its window (RFC 7932, section 9.1). The decoder has no option that limits it. */
function brotliWindowLog(first = 0): number {
  return (first & 1) === 0 ? 16 : 17 + ((first >> 1) & 7)
}

/**
 * Frees the memory of a chunk now. Otherwise, a few bytes that unpack to many megabytes would leave that much until the next garbage
 * collection. Not of a chunk that ends before its buffer does: the decoder writes the next one into the rest.
 */
function freeUnpacked({ buffer, byteOffset, length }: Uint8Array): void {
  if (byteOffset + length === CHUNK_BYTES && buffer.byteLength === CHUNK_BYTES) detach(buffer)
}

/** The same for a chunk as it was received, if nothing else is in its buffer. */
function freeReceived({ buffer, length }: Uint8Array): void {
  if (buffer.byteLength === length) detach(buffer)
}

function detach(buffer: ArrayBufferLike): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
