import { createHash } from 'node:crypto'
import type { ProjectId } from '../model/ids.ts'
import type { LineOf } from '../model/transfer/lines.ts'
import { FileMissing, type FileName, type FileStore } from '../storage/files/file-store.ts'
import type { UsedFile } from '../storage/ports/attachments.ts'
import type { Storage } from '../storage/storage.ts'
import { type BytesLine, type LostLine, PIECE_BYTES } from './file-format.ts'

/** A file that the database has and the store does not, or not with the right bytes. */
export interface LostFile extends UsedFile {
  readonly projectId: ProjectId
  readonly sha256: string
}

interface Source {
  readonly storage: Pick<Storage, 'attachments'>
  readonly store: FileStore
  readonly projectId: ProjectId
  onLost(file: LostFile): void
}

export type FileLine = LineOf<'file'> | BytesLine | LostLine

/**
 * The lines of a file with its bytes, one piece in memory at a time. A file that was deleted since the snapshot is omitted, as if it
 * had never arrived; one that is missing or damaged is reported, and its lines say so.
 */
export async function* fileLines(line: LineOf<'file'>, source: Source): AsyncGenerator<FileLine> {
  const { storage, store, projectId, onLost } = source
  const find = () => storage.attachments.findFile(projectId, line.digest)
  let found = await find()
  while (found !== undefined) {
    yield line
    const outcome: Outcome = { isWhole: false }
    yield* bytesLines(line, found.name, store, outcome)
    if (outcome.isWhole) return
    yield { record: 'fileLost' }
    const now = await find()
    if (now?.name === found.name) return onLost({ ...found, projectId, sha256: line.digest })
    // It was deleted in the meantime, and perhaps uploaded again.
    found = now
  }
}

interface Outcome {
  isWhole: boolean
}

async function* bytesLines(
  { size, digest }: LineOf<'file'>,
  name: FileName,
  store: FileStore,
  outcome: Outcome,
): AsyncGenerator<BytesLine> {
  const hash = createHash('sha256')
  let length = 0
  // The last piece is written once the digest is known to be right: a file with all its pieces is always whole.
  let last: BytesLine | undefined
  try {
    for await (const piece of inPieces(store.read(name, { start: 0, end: size - 1 }))) {
      hash.update(piece)
      length += piece.length
      if (length > size) return
      if (last !== undefined) yield last
      last = { record: 'bytes', data: piece.toString('base64') }
    }
  } catch (error) {
    if (error instanceof FileMissing) return
    throw error
  }
  if (length !== size || hash.digest('hex') !== digest) return
  if (last !== undefined) yield last
  outcome.isWhole = true
}

/** Pieces of the same size whatever the store returns, so that equal data gives equal exports. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(PIECE_BYTES)
  let filled = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const copied = Math.min(PIECE_BYTES - filled, chunk.length - at)
      piece.set(chunk.subarray(at, at + copied), filled)
      filled += copied
      at += copied
      if (filled < PIECE_BYTES) continue
      yield piece
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}
