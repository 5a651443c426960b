import { mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore, KeptFile } from '../core/files/file-store.ts'
import { runLocked } from './lock-file.ts'

const ENTRY = '.json'
const BYTES = '.bytes'
/** Other users of the machine must not read files. */
const MODE = 0o600

/** A folder in the queue, with two files for each: the bytes first, then the entry that makes them visible. */
export function createFolderFileStore(queueDirectory: string): FileStore {
  const folder = join(queueDirectory, 'files')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (id: string, extension: string) => join(folder, id + extension)

  async function write(path: string, content: string | Uint8Array): Promise<void> {
    const draft = `${path}.${process.pid}.tmp`
    try {
      await writeFile(draft, content, { mode: MODE })
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  return {
    async _put(file, bytes) {
      if (bytes) await write(pathOf(file.id, BYTES), bytes)
      await write(pathOf(file.id, ENTRY), JSON.stringify(file))
    },
    async _list() {
      const names = (await readdir(folder)).filter((name) => name.endsWith(ENTRY)).sort()
      const files = await Promise.all(names.map((name) => readEntry(join(folder, name))))
      return files.filter((file) => file !== undefined)
    },
    _read: (id) => readFile(pathOf(id, BYTES)).catch(() => undefined),
    async _remove(id) {
      for (const extension of [ENTRY, BYTES]) await rm(pathOf(id, extension), { force: true })
    },
    _runAlone: (task) => runLocked(join(folder, 'lock'), task),
  }
}

async function readEntry(path: string): Promise<KeptFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    // Another process has already sent it.
    return undefined
  }
}
