import { open } from 'node:fs/promises'
import { exportFile } from '../../transfer/export-file.ts'
import type { FileSummary } from '../../transfer/file-format.ts'
import { type Command, failingWith, type Terminal } from '../command.ts'
import { makeWhole, refuseToOverwrite } from './part-files.ts'
import { findProjectOrFail } from '../projects.ts'
import { progressOf } from '../terminal/progress.ts'
import { countsText } from './transfer-texts.ts'

const STDOUT = '-'

/** Writes everything that is stored into a file, from which `import` brings it into a database of either kind. */
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
  },
  run(input, { withStorage, terminal }) {
    const [file = ''] = input.positionals
    const slug = input.text('project')
    const exportTo = (write: Write): Promise<FileSummary> =>
      withStorage(async (storage) => {
        const project = slug === undefined ? undefined : await findProjectOrFail(storage, slug)
        const progress = progressOf(terminal, 'Exporting')
        const order = { storage, projectId: project?.id ?? null, write, onProgress: progress.show }
        return exportFile(order).finally(progress.end)
      })
    return file === STDOUT ? toStdout(terminal, exportTo) : toFile(file, exportTo)
  },
}

type Write = (text: string) => Promise<void>

async function toFile(file: string, exportTo: (write: Write) => Promise<FileSummary>) {
  await refuseToOverwrite(file)
  const { counts, sha256 } = await makeWhole(file, async (part) => {
    await using handle = await open(part, 'w')
    // Awaited here: the handle is closed on the way out.
    return await exportTo((text) => handle.writeFile(text).catch(failingWith(`${part} cannot be written`)))
  })
  return {
    json: { file, counts, sha256 },
    text: `Exported ${countsText(counts)} to ${file}. Keep the file secret: it contains webhook secrets and password hashes.`,
  }
}

async function toStdout(
  terminal: Terminal,
  exportTo: (write: Write) => Promise<FileSummary>,
): Promise<undefined> {
  await exportTo((text) => terminal.write(text).catch(failingWith('standard output cannot be written')))
}
