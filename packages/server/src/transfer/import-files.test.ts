import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { exportText, forge, importText, linesOf } from '../../test-support/transfer-files.ts'
import { tellTransferStory } from '../../test-support/transfer-story.ts'
import type { TransferLine } from '../model/transfer/lines.ts'
import { type FileStore, FileStoreFull } from '../storage/files/file-store.ts'
import { createFolderStore } from '../storage/files/folder-store.ts'
import { openSqliteInline } from '../storage/sqlite/sqlite-storage.ts'
import type { Storage } from '../storage/storage.ts'
import type { BytesLine, LostLine } from './file-format.ts'
import { FileRefused } from './file-refused.ts'

type AnyLine = TransferLine | BytesLine | LostLine

const folder = temporaryFolder()
const file = join(folder.path, 'export.ndjson')
let text: string
let lines: readonly AnyLine[]
/** The position of the largest file, whose bytes are in three lines. */
let large: number
let storage: Storage
let files: FileStore
let place: string

beforeAll(async () => {
  const source = openSqliteInline(':memory:')
  const store = createFolderStore(join(folder.path, 'source'))
  await tellTransferStory(source, store)
  text = await exportText(source, null, store)
  lines = linesOf(text)
  large = lines.findIndex((line) => line.record === 'file' && line.size === 500_000)
  await source.close()
})
beforeEach(() => {
  place = join(folder.path, `${Math.random()}`)
  storage = openSqliteInline(`${place}.db`)
  files = createFolderStore(place)
})
afterEach(() => storage.close())
afterAll(() => folder[Symbol.dispose]())

/** The text without some of its lines, or with others in their place, and with a valid checksum. */
function change(isKept: (line: AnyLine, index: number) => boolean, to = (line: AnyLine): object => line) {
  let index = 0
  return forge(text, to, (line) => isKept(line, index++ % lines.length))
}

describe('an export is refused before anything is stored', () => {
  it.each<readonly [what: string, content: () => string, message: RegExp]>([
    [
      'has other bytes than its digest',
      () =>
        change(
          () => true,
          (line) => (line.record === 'bytes' ? { ...line, data: 'AAAA' } : line),
        ),
      /^line [\d,]+: the bytes of (a file do not match its digest|the file before it are missing)/,
    ],
    [
      'has lost a piece of a file',
      () => change((_, index) => index !== large + 2),
      /^line [\d,]+: the bytes of the file before it are missing/,
    ],
    [
      'has bytes of no file',
      () => change((_, index) => index !== large),
      /^line [\d,]+: "bytes" belongs to no file/,
    ],
    [
      'has bytes that are not base64',
      () =>
        change(
          () => true,
          (line) => (line.record === 'bytes' ? { ...line, data: 'ä' } : line),
        ),
      /^line [\d,]+: the bytes of the file before it are missing/,
    ],
    [
      'has a file twice the size',
      () =>
        change(
          () => true,
          (line) => (line.record === 'file' ? { ...line, size: line.size * 2 } : line),
        ),
      /^line [\d,]+: the bytes of the file before it are missing/,
    ],
  ])('that %s', async (_, content, message) => {
    const refusal = await importText(storage, file, content(), { files }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(FileRefused)
    expect((refusal as Error).message).toMatch(message)
    expect(await storage.projects.list(null, 10)).toEqual([])
    expect(existsSync(place)).toBe(false)
  })
})

describe('an import of files', () => {
  it('that a full disk interrupts leaves no part of a file, and continues with the next one', async () => {
    let left = 1
    const full: FileStore = {
      ...files,
      async put(newFile, bytes) {
        if (left-- > 0) return files.put(newFile, bytes)
        for await (const _ of bytes) throw new FileStoreFull('The disk is full.')
      },
    }
    await expect(importText(storage, file, text, { files: full })).rejects.toThrow(
      /^a file could not be stored\. The disk is full\. .* resumes from here/,
    )
    expect(await storage.projects.list(null, 10)).toEqual([])
    const { resumedAfter } = await importText(storage, file, text, { files })
    expect(resumedAfter).toBeGreaterThan(0)
    expect((await exportText(storage, null, files)) === text).toBe(true)
    expect(readdirSync(join(place, 'unfinished'))).toEqual([])
  })

  it('ignores those that the export could not read', async () => {
    const second = lines[large + 2] as BytesLine
    // Without the second piece and the last one.
    const lost = change(
      (_, index) => index !== large + 3,
      (line) => (line.record === 'bytes' && line.data === second.data ? { record: 'fileLost' } : line),
    )
    const counts = /"bytes":(\d+),"fileLost":0/
    const said = lost.replace(counts, (_, bytes) => `"bytes":${Number(bytes) - 1},"fileLost":1`)
    await importText(storage, file, said, { files })
    const stored = linesOf(await exportText(storage, null, files))
    expect(stored.flatMap((line) => (line.record === 'file' ? [line.size] : [])).toSorted()).toEqual([
      0, 13, 15,
    ])
    const pending = stored.filter((line) => line.record === 'attachment' && line.receivedAt === null)
    expect(pending).toHaveLength(2)
    expect(readdirSync(join(place, 'unfinished'))).toEqual([])
  })

  it('that is discarded and run again stores them once', async () => {
    const failing: FileStore = { ...files, put: () => Promise.reject(new FileStoreFull('The disk is full.')) }
    await expect(importText(storage, file, text, { files: failing })).rejects.toThrow(/disk is full/)
    await importText(storage, file, text, { files, isRestart: true })
    expect((await exportText(storage, null, files)) === text).toBe(true)
  })
})
