import { createHash } from 'node:crypto'
import { INSTANCE_KINDS, LINE_KINDS, type LineKind, type TransferLine } from '../model/transfer/lines.ts'
import { checkHeader, checkLine, NOT_AN_EXPORT } from './check-line.ts'
import { type FileSummary, NEWLINE, noCounts, type Trailer } from './file-format.ts'
import { FileRefused, refusedAt } from './file-refused.ts'
import { readLines } from './read-lines.ts'

const COPY_AGAIN = 'Copy it again from where it was made, or export again.'

export interface PlacedLine {
  readonly number: number
  /** In bytes. */
  readonly size: number
  readonly line: TransferLine
}

/** Takes some lines, and how many bytes of the file have been read. The next ones wait for it. */
type Visit = (lines: readonly PlacedLine[], bytesRead: number) => Promise<void>

/** Reads an export from its header to its trailer, and refuses it at the first thing that is wrong with it. */
export async function readExport(path: string, visit: Visit): Promise<FileSummary> {
  const hash = createHash('sha256')
  const counts = noCounts()
  let previous: LineKind | undefined
  let trailer: Trailer | undefined
  let bytesRead = 0

  for await (const fileLines of readLines(path)) {
    const lines: PlacedLine[] = []
    for (const file of fileLines) {
      const { number } = file
      bytesRead = file.end
      if (trailer !== undefined) throw refusedAt(number, `the file goes on after its end. ${COPY_AGAIN}`)
      const line = number === 1 ? checkHeader(file) : checkLine(file)
      if (line.record === 'trailer') {
        trailer = line
        continue
      }
      hash.update(file.bytes).update(NEWLINE)
      if (line.record === 'header') continue
      if (!canFollow(previous, line.record))
        throw refusedAt(
          number,
          `"${line.record}" can not be here, after "${previous ?? 'header'}". ${COPY_AGAIN}`,
        )
      previous = line.record
      counts[line.record]++
      lines.push({ number, size: file.bytes.length, line })
    }
    await visit(lines, bytesRead)
  }

  if (bytesRead === 0) throw new FileRefused(NOT_AN_EXPORT)
  return verify({ counts, sha256: hash.digest('hex') }, trailer)
}

/** A project begins anew; within it, and behind the last one, the kinds have their order. */
function canFollow(previous: LineKind | undefined, kind: LineKind): boolean {
  if (kind === 'project') return previous === undefined || !INSTANCE_KINDS.includes(previous)
  if (previous === undefined) return INSTANCE_KINDS.includes(kind)
  return LINE_KINDS.indexOf(kind) >= LINE_KINDS.indexOf(previous)
}

function verify(read: FileSummary, trailer: Trailer | undefined): FileSummary {
  if (trailer === undefined)
    throw new FileRefused(`the file ends before its last line: it was cut off. ${COPY_AGAIN}`)
  const wrong = LINE_KINDS.find((kind) => (trailer.counts[kind] ?? 0) !== read.counts[kind])
  if (wrong !== undefined)
    throw new FileRefused(
      `the file has ${read.counts[wrong]} lines of the kind "${wrong}", but its last line says ${trailer.counts[wrong] ?? 0}: something was lost or added. ${COPY_AGAIN}`,
    )
  if (trailer.sha256 !== read.sha256)
    throw new FileRefused(
      `the checksum in its last line is not that of the file: it was altered. ${COPY_AGAIN}`,
    )
  return read
}
