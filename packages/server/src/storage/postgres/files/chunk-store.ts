import {
  type ByteRange,
  FileMissing,
  type FileName,
  type FileStore,
  FileStoreUnavailable,
  type StoredFile,
} from '../../files/file-store.ts'
import { type Database, prepared } from '../driver/connection.ts'

/** Large enough for few round trips, small enough for many uploads and downloads at once. */
const CHUNK_BYTES = 256 * 1024
const LIST_STEP = 500

/**
 * Keeps files as rows of chunks, so that nodes need no shared folder. Each chunk is written in its own
 * transaction: a slow upload holds neither a connection nor a lock. A file becomes visible when its row in `files` is committed, after all its chunks.
 */
export function createChunkStore(database: Database): FileStore {
  /** Does not wait for the disk: the last chunk of the file does, in the same log. */
  async function addChunk(name: FileName, number: number, bytes: Buffer): Promise<void> {
    const [project, object] = partsOf(name)
    await database.background(async (tx) => {
      tx.send(COMMIT_WITHOUT_WAITING())
      tx.send(ADD_CHUNK(project, object, number, Date.now(), bytes))
    })
  }

  /** Waits for the disk. A crash of PostgreSQL during the upload may have lost earlier chunks: then nothing is stored. */
  async function addLastChunk(name: FileName, number: number, bytes: Buffer): Promise<void> {
    const [project, object] = partsOf(name)
    const size = number * CHUNK_BYTES + bytes.length
    await database.background(async (tx) => {
      tx.send(ADD_CHUNK(project, object, number, Date.now(), bytes))
      const [stored] = await tx.run<StoredChunks>(COUNT_CHUNKS(project, object))
      if (stored?.count === number + 1 && stored.size === size) return
      throw new FileStoreUnavailable(`${name} has lost chunks during its upload`)
    })
  }

  async function addChunks(name: FileName, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    let number = 0
    // An empty file has one empty chunk, by which it is found.
    let last: Buffer | undefined
    for await (const chunk of inPieces(bytes, CHUNK_BYTES)) {
      if (last !== undefined) await addChunk(name, number++, last)
      last = chunk
    }
    await addLastChunk(name, number, last ?? Buffer.alloc(0))
  }

  async function remove(name: FileName): Promise<void> {
    const [project, object] = partsOf(name)
    await database.background(async (tx) => tx.send(REMOVE_CHUNKS(project, object)))
  }

  async function* chunks(name: FileName, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
    const [project, object] = partsOf(name)
    const first = Math.floor(start / CHUNK_BYTES)
    const last = Math.max(first, Math.floor(end / CHUNK_BYTES))
    for (let number = first; number <= last; number++) {
      const [row] = await database.run<{ bytes: Buffer }>(READ_CHUNK(project, object, number))
      if (row === undefined) throw new FileMissing(`${name} has no chunk ${number}`)
      const from = number * CHUNK_BYTES
      yield row.bytes.subarray(Math.max(0, start - from), Math.max(0, end + 1 - from))
    }
  }

  return {
    place: 'PostgreSQL',

    async put({ name }, bytes) {
      try {
        await addChunks(name, bytes)
      } catch (error) {
        // No limit counts these chunks. If this fails too, the sweeper removes them.
        await remove(name).catch(() => undefined)
        throw error
      }
    },

    async size(name) {
      const [stored] = await database.run<StoredChunks>(COUNT_CHUNKS(...partsOf(name)))
      // An empty file has a chunk, too.
      if (stored === undefined || stored.count === 0) throw new FileMissing(`${name} has no chunks`)
      return stored.size
    },

    read: chunks,
    remove,

    async *list() {
      let after: readonly [project: number, object: string] = [-(2 ** 31), '']
      for (;;) {
        const rows = await database.run<FileRow>(LIST_FILES(...after))
        yield* rows.map(toStoredFile)
        const last = rows.at(-1)
        if (last === undefined || rows.length < LIST_STEP) return
        after = [last.project, last.object]
      }
    },

    // Chunks that a killed process left look like those of any file without a row: the sweeper removes them as such.
    removeUnfinished: async () => 0,
    space: async () => null,
    close: async () => {},
  }
}

const COMMIT_WITHOUT_WAITING = prepared('chunk_without_waiting', 'SET LOCAL synchronous_commit = off')
const ADD_CHUNK = prepared(
  'add_file_chunk',
  'INSERT INTO file_chunks (project, object, number, stored_at, bytes) VALUES ($1, $2, $3, $4, $5)',
)
const COUNT_CHUNKS = prepared(
  'count_file_chunks',
  `SELECT CAST(count(*) AS int) AS count, CAST(sum(octet_length(bytes)) AS bigint) AS size
   FROM file_chunks WHERE project = $1 AND object = $2`,
)
const READ_CHUNK = prepared(
  'read_file_chunk',
  'SELECT bytes FROM file_chunks WHERE project = $1 AND object = $2 AND number = $3',
)
const REMOVE_CHUNKS = prepared(
  'remove_file_chunks',
  'DELETE FROM file_chunks WHERE project = $1 AND object = $2',
)
const LIST_FILES = prepared(
  'list_file_chunks',
  `SELECT project, object, CAST(sum(octet_length(bytes)) AS bigint) AS size, max(stored_at) AS stored_at
   FROM file_chunks WHERE (project, object) > ($1, $2) GROUP BY project, object ORDER BY project, object
   LIMIT ${LIST_STEP}`,
)

interface StoredChunks {
  readonly count: number
  readonly size: number
}

interface FileRow {
  readonly project: number
  readonly object: FileName
  readonly size: number
  readonly stored_at: number
}

function toStoredFile({ object, size, stored_at }: FileRow): StoredFile {
  return { name: object, size, storedAt: stored_at }
}

/** The project's number, as a signed integer of 32 bits. */
function partsOf(name: FileName): readonly [project: number, object: FileName] {
  return [Number(name.slice(0, name.indexOf('/'))) | 0, name]
}

/** The same bytes in pieces of this size; the last one may be shorter. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    length += chunk.length
    if (length < size) continue
    const all = Buffer.concat(waiting, length)
    let at = 0
    for (; length - at >= size; at += size) yield all.subarray(at, at + size)
    waiting = at < length ? [Buffer.from(all.subarray(at))] : []
    length -= at
  }
  if (length > 0) yield Buffer.concat(waiting, length)
}
