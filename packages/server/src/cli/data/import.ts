import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { sqliteFileOf } from '../../storage/backups.ts'
import { openFileStore } from '../../storage/files/open-file-store.ts'
import { FileRefused } from '../../transfer/file-refused.ts'
import { type Command, CommandError, failingWith } from '../command.ts'
import { progressOfStages } from '../terminal/progress.ts'
import { exists } from './part-files.ts'
import { admittedText, countsText } from './transfer-texts.ts'

/** The file is read once in each stage. */
const LABELS = { checking: 'Checking', importing: 'Importing' } as const
type Stage = keyof typeof LABELS

/** Loads what `export` wrote into a database. An interrupted import resumes when it is run again. */
export const importCommand: Command = {
  name: 'import',
  summary: 'Import a file that "bugle export" wrote, from either kind of database',
  mayCreateDatabase: true,
  positionals: ['FILE'],
  options: {
    restart: { type: 'boolean', meaning: 'discard what an unfinished import has stored, and start over' },
  },
  async run(input, { config, withStorage, terminal }) {
    // Loaded only now: other commands start faster without the line validation.
    const { checkFile, importFile } = await import('../../transfer/import-file.ts')
    const [file = ''] = input.positionals
    const size = await sizeOf(file)
    const bars = progressOfStages(terminal, LABELS)
    const onProgress = (stage: Stage, bytesRead: number) => bars.show(stage, bytesRead, size)
    const options = { path: file, isRestart: input.isSet('restart'), onProgress }
    async function load() {
      const path = sqliteFileOf(config.databaseUrl)
      // Before a database is created, so that a refused file leaves none behind. A new one has nothing to compare the file with.
      const isNew = path !== undefined && !(await exists(path))
      const checked = isNew ? await checkFile(options) : undefined
      return withStorage(async (storage) => {
        const place = { databaseUrl: config.databaseUrl, bucket: config.attachmentsBucket, storage }
        const imported = await importFile({
          ...options,
          ...{ storage, checked },
          files: await openFileStore(place),
        })
        await storage.auditLog.add({ action: 'data.imported', subjectName: basename(file) })
        return imported
      })
    }
    const { counts, sha256, resumedAfter, people, instanceKeys } = await load()
      .finally(bars.end)
      .catch((error: unknown) => {
        if (!(error instanceof FileRefused)) throw error
        throw new CommandError(`${file}: ${error.message}`, { cause: error })
      })
    const resumed = resumedAfter > 0 ? ` It resumed after line ${resumedAfter}.` : ''
    return {
      json: { file, counts, sha256, resumedAfter, people, instanceKeys },
      text: `Imported ${countsText(counts)} from ${file}; counts and checksum match.${resumed}${admittedText({ people, instanceKeys }, terminal)}`,
    }
  },
}

async function sizeOf(file: string): Promise<number> {
  const handle = await open(file).catch(failingWith(`${file} cannot be read`))
  const stats = await handle.stat()
  await handle.close()
  if (!stats.isFile()) throw new CommandError(`${file} is not a regular file; an import reads it twice`)
  return stats.size
}
