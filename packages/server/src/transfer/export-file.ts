import { createHash } from 'node:crypto'
import type { ProjectId } from '../model/ids.ts'
import type { TransferLine } from '../model/transfer/lines.ts'
import type { FileStore } from '../storage/files/file-store.ts'
import type { Storage } from '../storage/storage.ts'
import { type FileLine, fileLines, type LostFile } from './export-bytes.ts'
import { type FileSummary, headerLine, NEWLINE, noCounts, PIECE_BYTES, trailerLine } from './file-format.ts'

interface ExportOptions {
  readonly storage: Pick<Storage, 'transfer' | 'attachments'>
  /** Where the files of reports are; `null`: their bytes are not exported. */
  readonly files: FileStore | null
  /** `null`: everything. */
  readonly projectId: ProjectId | null
  /** Writes a piece of the file; the next one waits for it. */
  write(text: string): Promise<void>
  onProgress?(done: number, total: number): void
}

export interface ExportSummary extends FileSummary {
  /** Files that are missing or damaged in the store, up to {@link MAX_LOST_LISTED}. */
  readonly lostFiles: readonly LostFile[]
  /** The number of all of them. */
  readonly lostCount: number
}

const MAX_LOST_LISTED = 100
/** Bytes of files that take about as long as an issue. */
const BYTES_PER_ISSUE = 1_024

/** Writes an export of one snapshot, regardless of concurrent writes. */
export function exportFile({
  storage,
  files,
  projectId,
  write,
  onProgress,
}: ExportOptions): Promise<ExportSummary> {
  return storage.transfer.snapshot(projectId, async (snapshot) => {
    const file = createWriter(write)
    const lost = createLostList()
    const reach = createReach()
    const total = snapshot.extent + (files === null ? 0 : snapshot.fileBytes / BYTES_PER_ISSUE)
    let project: ProjectId | undefined

    async function addFiles(lines: readonly TransferLine[], store: FileStore): Promise<void> {
      if (project === undefined) return
      const source = { storage, store, projectId: project, onLost: lost.add }
      for (const line of lines) {
        if (line.record !== 'file') continue
        for await (const one of fileLines(line, source)) {
          await file.add([one])
          onProgress?.(reach([one]), total)
        }
      }
    }

    await file.begin()
    for await (const lines of snapshot.lines()) {
      const [first] = lines
      if (first?.record === 'project') project = first.id
      if (first?.record !== 'file') await file.add(lines)
      else if (files !== null) await addFiles(lines, files)
      onProgress?.(reach(lines), total)
    }
    return { ...(await file.end()), ...lost.summary() }
  })
}

/** Writes lines, and counts and hashes them. */
function createWriter(write: ExportOptions['write']) {
  const hash = createHash('sha256')
  const counts = noCounts()
  async function add(text: string): Promise<void> {
    hash.update(text)
    await write(text)
  }
  return {
    begin: () => add(headerLine()),
    async add(lines: readonly (TransferLine | FileLine)[]): Promise<void> {
      await add(lines.map((line) => JSON.stringify(line) + NEWLINE).join(''))
      for (const { record } of lines) counts[record]++
    },
    async end(): Promise<FileSummary> {
      const summary = { counts, sha256: hash.digest('hex') }
      await write(trailerLine(summary))
      return summary
    },
  }
}

function createLostList() {
  const lostFiles: LostFile[] = []
  let lostCount = 0
  return {
    add(file: LostFile): void {
      lostCount++
      if (lostFiles.length < MAX_LOST_LISTED) lostFiles.push(file)
    },
    summary: () => ({ lostFiles, lostCount }),
  }
}

/** The progress: by issue numbers, event positions and bytes of files, so that no table has to be read just to count its rows. */
function createReach(): (lines: readonly (TransferLine | FileLine)[]) => number {
  let before = 0
  let issues = 0
  let ofProject = 0
  let done = 0
  let pieces = 0
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
    if (line?.record === 'bytes') pieces++
    return done + (pieces * PIECE_BYTES) / BYTES_PER_ISSUE
  }
}
