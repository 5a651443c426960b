import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from '@bugle/client'
import { type Attachment, endpoints, type OmittedReason } from '@bugle/contract'
import { sizeText } from '../../byte-sizes.ts'
import { safeFileName } from '../../model/reports/file-names.ts'
import { API_VARIABLES } from '../api-access.ts'
import { type Command, CommandError } from '../command.ts'
import { printable } from '../terminal/printable.ts'
import { progressBar } from '../terminal/progress.ts'
import { type Column, table } from '../terminal/tables.ts'
import { PROJECT_OPTION } from './filters.ts'
import { requireIssueId } from './find.ts'

const COLUMNS: readonly Column[] = [
  { heading: 'FILE' },
  { heading: 'REPORT', leaveOut: 1 },
  { heading: 'STATE' },
  { heading: 'SIZE' },
  { heading: 'TYPE', leaveOut: 2 },
  { heading: 'NAME', overflow: 'cut' },
]

const attachments: Command = {
  name: 'issues attachments',
  summary: 'List the files of an issue',
  positionals: ['ISSUE'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const files = await withApi(async (client) => listFiles(client, await requireIssueId(client, input)))
    if (files.length === 0) return { json: [], text: 'The issue has no files.' }
    const rows = files.map(({ id, reportNumber, state, omittedReason, size, contentType, name }) => [
      ...[id, String(reportNumber), omittedReason === null ? STATES[state] : OMITTED[omittedReason]],
      ...[sizeText(size), contentType ?? '', name],
    ])
    return { json: files, text: table(COLUMNS, rows, terminal) }
  },
}

/** The states of files, in words. */
export const STATES: Readonly<Record<Attachment['state'], string>> = {
  received: 'received',
  pending: 'not received yet',
  omitted: 'not kept',
  damaged: 'damaged',
}
const OMITTED: Readonly<Record<OmittedReason, string>> = {
  'newer-reports': STATES.omitted,
  'server-busy': 'not stored: server busy',
  'rate-limited': 'not stored: upload limit reached',
  'no-space': 'not stored: no space left',
}

const download: Command = {
  name: 'issues download',
  summary: 'Save the files of an issue in a folder',
  positionals: ['ISSUE'],
  options: {
    project: PROJECT_OPTION,
    file: { type: 'string', value: 'ID', meaning: 'only this file (att_…)' },
    to: { type: 'string', value: 'FOLDER', meaning: 'where to save them; default: the current folder' },
  },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const folder = input.text('to') ?? '.'
    const only = input.text('file')
    const saved = await withApi(async (client) => {
      const all = await listFiles(client, await requireIssueId(client, input))
      const files = all.filter(({ id, state }) => state === 'received' && (only ?? id) === id)
      if (only !== undefined && files.length === 0)
        throw new CommandError(`the issue has no file ${only}, or it was not received`)
      await mkdir(folder, { recursive: true })
      const paths: string[] = []
      for (const file of files) paths.push(await save(client, file, { folder, terminal }))
      return paths
    })
    const text = saved.length === 0 ? 'The issue has no files to save.' : saved.map(printable).join('\n')
    return { json: saved, text }
  },
}

export const attachmentCommands: readonly Command[] = [attachments, download]

async function listFiles(client: Client, id: string): Promise<readonly Attachment[]> {
  return Readable.from(client.items(endpoints.listIssueAttachments, { params: { id } })).toArray()
}

interface Place {
  readonly folder: string
  readonly terminal: Parameters<typeof progressBar>[0]
}

/** The name is untrusted: it is prefixed with the number of the report, and no file is overwritten. */
async function save(client: Client, file: Attachment, { folder, terminal }: Place): Promise<string> {
  const name = safeFileName(file)
  const path = join(folder, `${file.reportNumber}-${name}`)
  const bar = progressBar(terminal, printable(name), file.size)
  const { bytes } = await client.download(file.id, { onProgress: (done) => bar.show(done) })
  const target = createWriteStream(path, { flags: 'wx' })
  try {
    await pipeline(Readable.from(bytes), target)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new CommandError(`${path} already exists; choose another folder with --to`)
    // An incomplete file would look complete.
    await rm(path, { force: true })
    throw error
  } finally {
    bar.end()
  }
  return path
}
