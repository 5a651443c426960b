import { createHash } from 'node:crypto'
import { INSTANCE_KINDS, LINE_KINDS, type LineKind, type TransferLine } from '../model/transfer/lines.ts'
import { createBytesCheck } from './check-bytes.ts'
import { checkHeader, checkLine, NOT_AN_EXPORT } from './check-line.ts'
import {
  type BytesLine,
  FILE_KINDS,
  type FileSummary,
  type LostLine,
  NEWLINE,
  noCounts,
  type Trailer,
} from './file-format.ts'
import { FileRefused, refusedAt } from './file-refused.ts'
import { readLines } from './read-lines.ts'

const COPY_AGAIN = 'Copy it again from its source, or export again.'

export interface PlacedLine {
  readonly number: number
  /** In bytes. */
  readonly size: number
  readonly line: TransferLine | BytesLine | LostLine
  /** The bytes of a file in the line, if there are any. */
  readonly bytes: Buffer | null
  /** Whether the bytes of a file are complete with this line. They match its digest. */
  readonly endsFile: boolean
}

/** Receives some lines, and the number of bytes read so far. The next lines wait for it. */
type Visit = (lines: readonly PlacedLine[], bytesRead: number) => Promise<void>

/** Reads an export from its header to its trailer, and fails at the first fault. */
export async function readExport(path: string, visit: Visit): Promise<FileSummary> {
  const hash = createHash('sha256')
  const counts = noCounts()
  const checkBytes = createBytesCheck()
  let previous: LineKind | undefined
  let trailer: Trailer | undefined
  let bytesRead = 0

  for await (const fileLines of readLines(path)) {
    const lines: PlacedLine[] = []
    for (const file of fileLines) {
      const { number } = file
      bytesRead = file.end
      if (trailer !== undefined) throw refusedAt(number, `there is data after the last line. ${COPY_AGAIN}`)
      const line = number === 1 ? checkHeader(file) : checkLine(file)
      if (line.record === 'trailer') {
        trailer = line
        continue
      }
      hash.update(file.bytes).update(NEWLINE)
      if (line.record === 'header') continue
      const step = checkBytes(number, line)
      if (line.record !== 'bytes' && line.record !== 'fileLost') {
        if (!canFollow(previous, line.record)) throw refusedOrder(number, previous, line.record)
        previous = line.record
      }
      counts[line.record]++
      lines.push({ number, size: file.bytes.length, line, ...step })
    }
    await visit(lines, bytesRead)
  }

  if (bytesRead === 0) throw new FileRefused(NOT_AN_EXPORT)
  return verify({ counts, sha256: hash.digest('hex') }, trailer)
}

function refusedOrder(number: number, previous: LineKind | undefined, kind: LineKind): FileRefused {
  return refusedAt(number, `"${kind}" is not allowed after "${previous ?? 'header'}". ${COPY_AGAIN}`)
}

/** Each project restarts the order of kinds; records without a project come last. */
function canFollow(previous: LineKind | undefined, kind: LineKind): boolean {
  if (kind === 'project') return previous === undefined || !INSTANCE_KINDS.includes(previous)
  if (previous === undefined) return INSTANCE_KINDS.includes(kind)
  return LINE_KINDS.indexOf(kind) >= LINE_KINDS.indexOf(previous)
}

function verify(read: FileSummary, trailer: Trailer | undefined): FileSummary {
  if (trailer === undefined)
    throw new FileRefused(`the file is incomplete: its last line is missing. ${COPY_AGAIN}`)
  const wrong = FILE_KINDS.find((kind) => (trailer.counts[kind] ?? 0) !== read.counts[kind])
  if (wrong !== undefined)
    throw new FileRefused(
      `the file has ${read.counts[wrong]} lines of the kind "${wrong}", but its last line says ${trailer.counts[wrong] ?? 0}: something was lost or added. ${COPY_AGAIN}`,
    )
  if (trailer.sha256 !== read.sha256)
    throw new FileRefused(`the checksum in the last line does not match: the file was altered. ${COPY_AGAIN}`)
  return read
}
