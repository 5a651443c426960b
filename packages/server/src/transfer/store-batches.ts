import type { ProjectId } from '../model/ids.ts'
import { INSTANCE_KINDS, type TransferLine } from '../model/transfer/lines.ts'
import type { FileName, FileStore } from '../storage/files/file-store.ts'
import type { ImportBatch, ImportProgress, TransferStorage } from '../storage/transfer.ts'
import { FileRefused, refusedAt } from './file-refused.ts'
import type { PlacedLine } from './read-export.ts'
import { createFilePuts } from './store-bytes.ts'

/** Lines and bytes stored in one transaction: few enough for a running server to write in between. */
const BATCH_LINES = 250
const BATCH_BYTES = 512 * 1024
/** Records without a project are stored in the last transaction, so all of them are in memory. */
const MAX_INSTANCE_LINES = 100_000

interface Target {
  readonly transfer: TransferStorage
  readonly files: FileStore
}

/** Stores the lines of a file in small transactions, starting where the import stopped. */
export function createBatches({ transfer, files }: Target, begun: ImportProgress) {
  const puts = createFilePuts(files)
  let from = begun
  let projectId: ProjectId | null = null
  let lines: TransferLine[] = []
  let fileNames = new Map<string, FileName>()
  let bytes = 0
  let toLine = begun.line

  function nextBatch(): ImportBatch {
    const batch = { from, toLine, projectId, lines, fileNames }
    from = { ...from, line: toLine }
    lines = []
    fileNames = new Map()
    bytes = 0
    return batch
  }

  async function flush(): Promise<void> {
    if (lines.length === 0) return
    const batch = nextBatch()
    const outcome = await transfer.storeLines(batch).catch(failedIn(batch))
    if (outcome === 'overtaken') throw overtaken()
  }

  /** A file is a line to store once its bytes are in the store. */
  async function takeFile({ line, bytes: data, number, size, endsFile }: PlacedLine): Promise<void> {
    if (number <= begun.line || projectId === null) return
    bytes += size
    if (line.record === 'file') puts.begin(projectId, line)
    if (line.record === 'fileLost') await puts.abort()
    if (data !== null) await puts.add(data)
    if (!endsFile) return
    const file = await puts.end()
    fileNames.set(file.line.digest, file.name)
    lines.push(file.line)
    toLine = number
    if (isFull()) await flush()
  }

  function isFull(): boolean {
    return lines.length >= BATCH_LINES || bytes >= BATCH_BYTES
  }

  async function take(placed: PlacedLine): Promise<void> {
    const { line, number, size } = placed
    if (line.record === 'file' || line.record === 'bytes' || line.record === 'fileLost')
      return takeFile(placed)
    const isOfInstance = INSTANCE_KINDS.includes(line.record)
    if (line.record === 'project' || (isOfInstance && projectId !== null)) {
      await flush()
      projectId = line.record === 'project' ? line.id : null
    }
    if (number <= begun.line) return
    lines.push(line)
    toLine = number
    bytes += size
    if (isOfInstance && lines.length > MAX_INSTANCE_LINES)
      throw refusedAt(
        number,
        `an import can have at most ${MAX_INSTANCE_LINES} people, views and keys for all projects.`,
      )
    if (!isOfInstance && isFull()) await flush()
  }

  return {
    async take(placed: readonly PlacedLine[]): Promise<void> {
      for (const line of placed) await take(line)
    },

    /** A file whose bytes were interrupted is not stored. */
    [Symbol.asyncDispose]: puts.abort,

    /** Stores the rest and activates everything. */
    async finish(): Promise<void> {
      if (projectId !== null) await flush()
      const batch = { ...nextBatch(), projectId: null }
      const outcome = await transfer.finishImport(batch).catch(failedIn(batch))
      if (outcome === 'overtaken') throw overtaken()
      if (outcome === 'finished') return
      throw new FileRefused(
        `a project with the slug "${outcome.takenSlug}" was created in the meantime. Rename or delete it, then import the file again: only the last step is left.`,
      )
    },
  }
}

/** For `catch`: adds the position in the file. Earlier lines are stored, and the import can continue. */
function failedIn({ from, toLine }: ImportBatch): (error: Error) => never {
  return (error) => {
    throw new FileRefused(
      `lines ${from.line + 1} to ${toLine} could not be stored. ${error.message} Fix that and import the file again: it resumes from here.`,
      { cause: error },
    )
  }
}

function overtaken(): FileRefused {
  return new FileRefused(
    'another import is running on this database. Wait until it finishes, then check the result.',
  )
}
