import type { ProjectId } from '../model/ids.ts'
import { INSTANCE_KINDS, type TransferLine } from '../model/transfer/lines.ts'
import type { ImportBatch, ImportProgress, TransferStorage } from '../storage/transfer.ts'
import { FileRefused, refusedAt } from './file-refused.ts'
import type { PlacedLine } from './read-export.ts'

/** Lines and bytes stored in one transaction: few enough to let a running server in between. */
const BATCH_LINES = 250
const BATCH_BYTES = 512 * 1024
/** What belongs to no project is stored in the last transaction, so it is in memory together. */
const MAX_INSTANCE_LINES = 100_000

/** Stores the lines of a file in small transactions, from where the import has got to. */
export function createBatches(transfer: TransferStorage, begun: ImportProgress) {
  let from = begun
  let projectId: ProjectId | null = null
  let lines: TransferLine[] = []
  let bytes = 0
  let toLine = begun.line

  function nextBatch(): ImportBatch {
    const batch = { from, toLine, projectId, lines }
    from = { ...from, line: toLine }
    lines = []
    bytes = 0
    return batch
  }

  async function flush(): Promise<void> {
    if (lines.length === 0) return
    const batch = nextBatch()
    const outcome = await transfer.storeLines(batch).catch(failedIn(batch))
    if (outcome === 'overtaken') throw overtaken()
  }

  async function take({ line, number, size }: PlacedLine): Promise<void> {
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
        `more than ${MAX_INSTANCE_LINES} people, views and keys of no project are not imported.`,
      )
    if (!isOfInstance && (lines.length >= BATCH_LINES || bytes >= BATCH_BYTES)) await flush()
  }

  return {
    async take(placed: readonly PlacedLine[]): Promise<void> {
      for (const line of placed) await take(line)
    },

    /** Stores the rest and puts everything into service. */
    async finish(): Promise<void> {
      if (projectId !== null) await flush()
      const batch = { ...nextBatch(), projectId: null }
      const outcome = await transfer.finishImport(batch).catch(failedIn(batch))
      if (outcome === 'overtaken') throw overtaken()
      if (outcome === 'finished') return
      throw new FileRefused(
        `a project with the slug "${outcome.takenSlug}" has been made meanwhile. Rename or delete it, then import the file again: only the last step is left.`,
      )
    },
  }
}

/** For `catch`: where in the file it stopped. What came before is stored, and is gone on with. */
function failedIn({ from, toLine }: ImportBatch): (error: Error) => never {
  return (error) => {
    throw new FileRefused(
      `lines ${from.line + 1} to ${toLine} could not be stored. ${error.message} Mend that and import the file again: it goes on from here.`,
      { cause: error },
    )
  }
}

function overtaken(): FileRefused {
  return new FileRefused('another import is running on this database. Wait for it, then look what there is.')
}
