import { open } from 'node:fs/promises'
import type { ProjectRecord } from '../../model/projects.ts'
import { FileStoreUnavailable } from '../../storage/files/file-store.ts'
import { openFileStore } from '../../storage/files/open-file-store.ts'
import { type Storage, StorageUnavailable } from '../../storage/storage.ts'
import { type ExportSummary, exportFile } from '../../transfer/export-file.ts'
import { type Command, CommandError, failingWith, type Result, type Terminal } from '../command.ts'
import { findProjectOrFail } from '../projects/projects.ts'
import { progressOf } from '../terminal/progress.ts'
import { makeWhole, refuseToOverwrite } from './part-files.ts'
import { countsText, lostText } from './transfer-texts.ts'

const STDOUT = '-'

/** Writes all stored data to a file, which `import` can load into a database of either kind. */
export const exportCommand: Command = {
  name: 'export',
  summary: 'Export everything to a file, also while a server runs; - is standard output',
  positionals: ['FILE'],
  options: {
    project: {
      type: 'string',
      value: 'SLUG',
      meaning: 'only this project; default: all projects and people',
    },
    'without-files': {
      type: 'boolean',
      meaning: 'omit the bytes of files that are attached to reports; they are imported as not received',
    },
  },
  note: 'If files are missing or damaged where they are kept, the rest is exported and the exit code is 1.',
  run(input, { config, withStorage, terminal }) {
    const [file = ''] = input.positionals
    const slug = input.text('project')
    const exportTo = (write: Write): Promise<ExportSummary> =>
      withStorage(async (storage) => {
        const project = slug === undefined ? undefined : await findProjectOrFail(storage, slug)
        await recordExport(storage, project, terminal)
        const place = { databaseUrl: config.databaseUrl, bucket: config.attachmentsBucket, storage }
        const files = input.isSet('without-files') ? null : await openFileStore(place)
        const progress = progressOf(terminal, 'Exporting')
        const options = { storage, files, projectId: project?.id ?? null, write, onProgress: progress.show }
        return exportFile(options).finally(progress.end).catch(failingInStore)
      })
    return file === STDOUT ? toStdout(terminal, exportTo) : toFile(file, exportTo)
  },
}

/** Before anything is read. A replica can be exported, but cannot record it. */
async function recordExport(
  { auditLog }: Storage,
  project: ProjectRecord | undefined,
  terminal: Terminal,
): Promise<void> {
  const subject = project && { projectId: project.id, subject: project.id, subjectName: project.name }
  await auditLog.add({ action: 'data.exported', ...subject }).catch((error: unknown) => {
    if (!(error instanceof StorageUnavailable)) throw error
    terminal.warn('the database is read-only, so the export is not in its audit log')
  })
}

type Write = (text: string) => Promise<void>
type ExportTo = (write: Write) => Promise<ExportSummary>

function failingInStore(error: unknown): never {
  if (error instanceof FileStoreUnavailable)
    failingWith('the files of reports cannot be read; --without-files exports everything else')(error)
  throw error
}

async function toFile(file: string, exportTo: ExportTo): Promise<Result> {
  await refuseToOverwrite(file)
  const { counts, sha256, lostFiles, lostCount } = await makeWhole(file, async (part) => {
    await using handle = await open(part, 'w')
    // Awaited here, because the handle is closed when the function returns.
    return await exportTo((text) => handle.writeFile(text).catch(failingWith(`${part} cannot be written`)))
  })
  const exported = `Exported ${countsText(counts)} to ${file}. Keep the file secret: it contains webhook secrets and password hashes.`
  const isFailure = lostCount > 0
  return {
    json: { file, counts, sha256, lostFiles },
    text: isFailure ? `${exported}\n${lostText(lostFiles, lostCount)}` : exported,
    isFailure,
  }
}

async function toStdout(terminal: Terminal, exportTo: ExportTo): Promise<undefined> {
  const { lostFiles, lostCount } = await exportTo((text) =>
    terminal.write(text).catch(failingWith('standard output cannot be written')),
  )
  if (lostCount > 0) throw new CommandError(lostText(lostFiles, lostCount))
}
