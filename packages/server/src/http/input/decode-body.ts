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

const CHUNK_BYTES = 64 * 1024
/** 8 MiB, which compressors exceed only at their highest levels. The default would let a few bytes claim 128 MiB. */
const ZSTD_WINDOW_LOG = 23

const DECODERS: Readonly<Record<SentryEncoding, () => Transform>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: () => createInflate({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
  zstd: () =>
    createZstdDecompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
}

/** The unpacked bytes, as they arrive. Fails once there are more than `maxBytes`, before any more is unpacked. */
export async function* decodeBody(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const chunk of unpack(bytes, encoding)) {
    count += chunk.length
    if (count > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

export function tooLarge(maxBytes: number): DomainError {
  return new DomainError('content-too-large', {
    detail: `The unpacked body has more than ${maxBytes.toLocaleString('en')} bytes.`,
  })
}

async function* unpack(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncGenerator<Uint8Array> {
  const name = encoding?.trim().toLowerCase() as SentryEncoding | undefined
  if (name === undefined || !Object.hasOwn(DECODERS, name)) {
    yield* bytes
    return
  }
  const decoder = DECODERS[name]()
  // The error is thrown by the loop below.
  pipeline(Readable.from(bytes), decoder, () => undefined)
  try {
    yield* decoder
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    throw Object.assign(
      new DomainError('malformed-body', { detail: `The body cannot be unpacked as ${name}.` }),
      { cause },
    )
  }
}
