import { createReadStream } from 'node:fs'
import { refusedAt } from './file-refused.ts'

const CHUNK_BYTES = 1024 * 1024
/** Far more than the largest line that is ever written. */
const MAX_LINE_BYTES = 4 * 1024 * 1024
const LINE_FEED = 10

/** A line of a file, without its end. */
export interface FileLine {
  readonly number: number
  readonly bytes: Buffer
  /** How many bytes of the file have been read, including this line. */
  readonly end: number
}

/** The lines of a file, in batches. A last line without a line break is incomplete and is not returned. */
export async function* readLines(path: string): AsyncGenerator<readonly FileLine[]> {
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  let end = 0
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const bytes = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    const lines: FileLine[] = []
    let from = 0
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, from)) {
      end += at + 1 - from
      lines.push({ number: ++number, bytes: bytes.subarray(from, at), end })
      from = at + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > MAX_LINE_BYTES) throw refusedAt(number + 1, 'it is too long for a Bugle export.')
    yield lines
  }
}
