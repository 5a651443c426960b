import { createHash, type Hash } from 'node:crypto'
import type { LineOf, TransferLine } from '../model/transfer/lines.ts'
import type { BytesLine, LostLine } from './file-format.ts'
import { refusedAt } from './file-refused.ts'

const COPY_AGAIN = 'Copy the export again from its source, or export again.'

interface OpenFile {
  readonly size: number
  readonly digest: string
  readonly hash: Hash
  length: number
}

/** What a line is to the file whose bytes are being read. */
export interface BytesStep {
  /** The bytes in the line. */
  readonly bytes: Buffer | null
  /** Whether the file is complete: its bytes have the size and the digest in its line. */
  readonly endsFile: boolean
}

const OTHER: BytesStep = { bytes: null, endsFile: false }

/** Checks the lines of a file one after the other: the bytes after a `file` must be its own, and nothing may come between. */
export function createBytesCheck() {
  let open: OpenFile | undefined

  function isComplete({ size, digest, hash, length }: OpenFile, number: number): boolean {
    if (length < size) return false
    if (length === size && hash.digest('hex') === digest) return true
    throw refusedAt(number, `the bytes of a file do not match its digest. ${COPY_AGAIN}`)
  }

  function end(file: OpenFile, number: number): boolean {
    const endsFile = isComplete(file, number)
    if (endsFile) open = undefined
    return endsFile
  }

  return function check(number: number, line: TransferLine | BytesLine | LostLine): BytesStep {
    const { record } = line
    if (record === 'bytes' || record === 'fileLost') {
      if (open === undefined) throw refusedAt(number, `"${record}" belongs to no file. ${COPY_AGAIN}`)
      if (record === 'fileLost') {
        open = undefined
        return OTHER
      }
      const bytes = Buffer.from(line.data, 'base64')
      open.hash.update(bytes)
      open.length += bytes.length
      return { bytes, endsFile: end(open, number) }
    }
    if (open !== undefined)
      throw refusedAt(number, `the bytes of the file before it are missing. ${COPY_AGAIN}`)
    if (record !== 'file') return OTHER
    open = opened(line)
    return { bytes: null, endsFile: end(open, number) }
  }
}

function opened({ size, digest }: LineOf<'file'>): OpenFile {
  return { size, digest, hash: createHash('sha256'), length: 0 }
}
