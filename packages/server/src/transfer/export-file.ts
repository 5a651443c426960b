import { createHash } from 'node:crypto'
import type { ProjectId } from '../model/ids.ts'
import type { TransferLine } from '../model/transfer/lines.ts'
import type { TransferStorage } from '../storage/transfer.ts'
import { type FileSummary, headerLine, NEWLINE, noCounts, trailerLine } from './file-format.ts'

interface Order {
  readonly storage: { readonly transfer: TransferStorage }
  /** `null`: everything. */
  readonly projectId: ProjectId | null
  /** Takes a piece of the file; the next one waits for it. */
  write(text: string): Promise<void>
  onProgress?(done: number, total: number): void
}

/** Writes an export of one moment, whatever happens in the database meanwhile. */
export function exportFile({ storage, projectId, write, onProgress }: Order): Promise<FileSummary> {
  return storage.transfer.snapshot(projectId, async (snapshot) => {
    const hash = createHash('sha256')
    const counts = noCounts()
    const reach = createReach()
    const add = async (text: string) => {
      hash.update(text)
      await write(text)
    }
    await add(headerLine())
    for await (const lines of snapshot.lines()) {
      await add(lines.map((line) => JSON.stringify(line) + NEWLINE).join(''))
      for (const { record } of lines) counts[record]++
      onProgress?.(reach(lines), snapshot.extent)
    }
    const summary = { counts, sha256: hash.digest('hex') }
    await write(trailerLine(summary))
    return summary
  })
}

/** How far the lines have come: by issue numbers and event positions, so that no table is gone through just to count it. */
function createReach(): (lines: readonly TransferLine[]) => number {
  let before = 0
  let issues = 0
  let ofProject = 0
  let done = 0
  return (lines) => {
    const line = lines.at(-1)
    if (line?.record === 'project') {
      before += ofProject
      issues = line.lastIssueNumber
      ofProject = issues + line.lastEventPosition
      done = before
    }
    if (line?.record === 'issue') done = before + line.number
    if (line?.record === 'event') done = before + issues + line.position
    return done
  }
}
