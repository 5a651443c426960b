import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { ProjectId } from '../src/model/ids.ts'
import type { TransferLine } from '../src/model/transfer/lines.ts'
import type { Storage } from '../src/storage/storage.ts'
import { exportFile } from '../src/transfer/export-file.ts'
import { importFile } from '../src/transfer/import-file.ts'

/** The whole export as text. */
export async function exportText(storage: Storage, projectId: ProjectId | null = null): Promise<string> {
  const parts: string[] = []
  await exportFile({ storage, projectId, write: async (text) => void parts.push(text) })
  return parts.join('')
}

/** Imports a text by way of a file. */
export function importText(storage: Storage, path: string, text: string | Buffer, isRestart = false) {
  writeFileSync(path, text)
  return importFile({ storage, path, isRestart })
}

/** What is between header and trailer. */
export function linesOf(text: string): readonly TransferLine[] {
  const lines = text.trimEnd().split('\n')
  return lines.slice(1, -1).map((line) => JSON.parse(line) as TransferLine)
}

/** The text with a line changed, and a trailer that fits it again: what only whoever makes a file could write. */
export function forge(text: string, change: (line: TransferLine) => object): string {
  const [header = '', ...rest] = text.trimEnd().split('\n')
  const trailer = JSON.parse(rest.at(-1) ?? '') as object
  const changed = linesOf(text).map((line) => JSON.stringify(change(line)))
  const body = `${[header, ...changed].join('\n')}\n`
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${JSON.stringify({ ...trailer, sha256 })}\n`
}
