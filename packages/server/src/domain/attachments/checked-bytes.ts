import { createHash } from 'node:crypto'

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
      if (length > size) throw new WrongBytes(length, size)
      if (sha256 !== null) digest.update(chunk)
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
      if (last !== undefined) yield last
      last = chunk
    }
    if (length !== size || (sha256 !== null && digest.digest('hex') !== sha256))
      throw new WrongBytes(length, size)
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

/** The bytes are not those that were expected. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes'
  /** How many bytes were read. */
  readonly length: number
  /** How many were expected. */
  readonly size: number

  constructor(length: number, size: number) {
    super(`${length} bytes were read, and they are not the ${size} that were expected.`)
    this.length = length
    this.size = size
  }
}
