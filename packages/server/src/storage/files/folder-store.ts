import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  FileMissing,
  type FileName,
  type FileStore,
  FileStoreFull,
  FileStoreUnavailable,
  isFileName,
  type NewFile,
  type StoredFile,
} from './file-store.ts'

/** Uploads in progress. On the same file system as the files, so that a rename makes them visible in one step. */
const UNFINISHED = 'unfinished'
const OWN_READ_BYTES = 64 * 1024

/** Where the files of a SQLite database are kept by default. */
export function folderOf(databasePath: string): string {
  return `${databasePath}-files`
}

/** Keeps files in a folder, which is created when it is needed. `sync` makes the names in a folder durable. */
export function createFolderStore(folder: string, sync = syncFolder): FileStore {
  const pathOf = (name: FileName) => join(folder, name)
  /** Folders of projects that would outlast a power failure. */
  const durable = new Set<string>()
  const unfinishedPath = (name: FileName) => join(folder, UNFINISHED, name.replace('/', '-'))

  async function write({ name }: NewFile, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const path = unfinishedPath(name)
    await mkdir(dirname(path), { recursive: true })
    const handle = await open(path, 'wx')
    try {
      await writeAll(handle, bytes)
      await handle.close()
      await moveInPlace(path, pathOf(name))
    } catch (error) {
      await handle.close().catch(() => undefined)
      await rm(path, { force: true })
      throw error
    }
  }

  /** The order matters: the name must not be durable before the bytes are. */
  async function moveInPlace(from: string, to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true })
    await rename(from, to)
    await sync(dirname(to))
    await syncAbove(dirname(to))
  }

  /** Once for each project: the process that created its folder may have been killed before it was durable, or not be ready yet. */
  async function syncAbove(projectFolder: string): Promise<void> {
    if (durable.has(projectFolder)) return
    await sync(folder)
    await sync(dirname(folder))
    durable.add(projectFolder)
  }

  async function* filesOf(project: string): AsyncGenerator<StoredFile> {
    for (const entry of await namesIn(join(folder, project))) {
      const name = `${project}/${entry}`
      const found = isFileName(name) ? await statOf(join(folder, name)) : undefined
      if (found !== undefined) yield { name: name as FileName, size: found.size, storedAt: found.mtimeMs }
    }
  }

  return {
    place: folder,

    async put(file, bytes) {
      // Errors of the bytes are the caller's own and pass unchanged.
      const source = watch(bytes)
      await write(file, source.bytes).catch((error: unknown) => {
        throw source.failure === undefined ? toFault(error) : source.failure
      })
    },

    async size(name) {
      const found = await statOf(pathOf(name))
      if (found === undefined) throw new FileMissing(`${name} does not exist`)
      return found.size
    },

    async *read(name, { start, end }) {
      if (end < start) {
        if ((await statOf(pathOf(name))) === undefined) throw new FileMissing(`${name} does not exist`)
        return
      }
      try {
        yield* createReadStream(pathOf(name), { start, end, highWaterMark: OWN_READ_BYTES })
      } catch (error) {
        throw toFault(error)
      }
    },

    async remove(name) {
      await rm(pathOf(name), { force: true }).catch((error: unknown) => {
        throw toFault(error)
      })
    },

    async *list() {
      for (const project of await namesIn(folder)) if (/^\d+$/.test(project)) yield* filesOf(project)
    },

    async removeUnfinished(before) {
      let removed = 0
      for (const entry of await namesIn(join(folder, UNFINISHED))) {
        const path = join(folder, UNFINISHED, entry)
        const found = await statOf(path)
        if (found === undefined || found.mtimeMs >= before) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },

    async space() {
      const { bavail, blocks, bsize } = await statfs(await nearestFolder(folder))
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    },

    async close() {},
  }
}

async function writeAll(handle: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
  }
  await handle.sync()
}

/** The same bytes, and the error that they failed with. */
export function watch(bytes: AsyncIterable<Uint8Array>) {
  const state: { failure: unknown } = { failure: undefined }
  async function* pass(): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes
    } catch (error) {
      state.failure = error
      throw error
    }
  }
  return {
    bytes: pass(),
    get failure() {
      return state.failure
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; there, a rename is durable without it.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function namesIn(path: string): Promise<readonly string[]> {
  return readdir(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw toFault(error)
  })
}

async function statOf(path: string) {
  return stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw toFault(error)
  })
}

async function nearestFolder(path: string): Promise<string> {
  return (await statOf(path)) === undefined && dirname(path) !== path ? nearestFolder(dirname(path)) : path
}

function toFault(error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  if (code === 'ENOENT') return new FileMissing('The file does not exist.', { cause: error })
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
    return new FileStoreFull('The disk is full.', { cause: error })
  return new FileStoreUnavailable(`The folder of attachments cannot be used (${code}).`, { cause: error })
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined
}
