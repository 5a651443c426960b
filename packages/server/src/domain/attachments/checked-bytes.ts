import { createHash } from 'node:crypto'
import { DomainError } from '../domain-error.ts'

/** Enough to recognise every type by its first bytes. */
const HEAD_BYTES = 4_100

export interface CheckedBytes {
  readonly bytes: AsyncIterable<Uint8Array>
  /** The first bytes, once they have been read. */
  head(): Uint8Array
  /** How many bytes have been read. */
  readonly length: number
}

interface Expected {
  readonly size: number
  /** In hexadecimal; `null`: it is computed from the same bytes elsewhere, so there is nothing to compare with. */
  readonly sha256: string | null
}

/**
 * The same bytes, hashed as they are read. The last chunk is passed on only once the digest has been
 * verified: a stream that ends has the declared bytes, and any other fails.
 */
export function checkBytes(source: AsyncIterable<Uint8Array>, { size, sha256 }: Expected): CheckedBytes {
  const digest = createHash('sha256')
  let head: Uint8Array = new Uint8Array()
  let length = 0

  async function* check(): AsyncGenerator<Uint8Array> {
    let last: Uint8Array | undefined
    for await (const chunk of source) {
      length += chunk.length
      if (length > size) throw tooLong(size)
      if (sha256 !== null) digest.update(chunk)
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
      if (last !== undefined) yield last
      last = chunk
    }
    if (length !== size || (sha256 !== null && digest.digest('hex') !== sha256)) throw mismatch(length, size)
    if (last !== undefined) yield last
  }

  return {
    bytes: check(),
    head: () => head,
    get length() {
      return length
    },
  }
}

export function tooLong(size: number): DomainError {
  return new DomainError('content-too-large', {
    detail: `The report declared ${size.toLocaleString('en')} bytes for this file; the body has more.`,
  })
}

export function mismatch(length: number, size: number): DomainError {
  return new DomainError('digest-mismatch', {
    detail:
      length === size
        ? 'The SHA-256 of the body is not the declared one. Nothing was stored.'
        : `The body has ${length.toLocaleString('en')} bytes; the report declared ${size.toLocaleString('en')}. Nothing was stored.`,
  })
}
