import type { FileStore, KeptFile } from '../core/files/file-store.ts'

/** A folder of the app, such as one of `expo-file-system`: the app provides it, so that the SDK needs no native module. */
export interface FileFolder {
  /** The names of all files. */
  list(): Promise<readonly string[]>
  read(name: string): Promise<Uint8Array>
  /** Creates or replaces a file. Rejects if there is no space. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>
}

const ENTRY = '.json'
const BYTES = '.bytes'

/** Two files for each: the bytes first, then the entry that makes them visible. */
export function createFileFolderStore(folder: FileFolder, scope: string): FileStore {
  const prefix = `${encodeURIComponent(scope).replaceAll('%', '_')}.`
  /** Files that this start is writing: they have no entry yet. */
  const started = new Set<string>()

  async function readEntry(name: string): Promise<readonly KeptFile[]> {
    const bytes = await folder.read(name).catch(() => undefined)
    try {
      return bytes ? [JSON.parse(textOf(bytes))] : []
    } catch {
      // It was not written to its end. Without it, its bytes are removed the next time.
      await folder.remove(name)
      return []
    }
  }

  /** The app may have ended before an entry was written. */
  async function removeOrphans(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const id = name.slice(prefix.length, -BYTES.length)
      if (!name.endsWith(BYTES) || started.has(id) || names.includes(prefix + id + ENTRY)) continue
      await folder.remove(name)
    }
  }

  return {
    async _put(file, bytes) {
      started.add(file.id)
      if (bytes) await folder.write(prefix + file.id + BYTES, bytes)
      await folder.write(prefix + file.id + ENTRY, bytesOf(JSON.stringify(file)))
    },
    async _list() {
      const names = (await folder.list()).filter((name) => name.startsWith(prefix)).sort()
      await removeOrphans(names)
      const entries = names.filter((name) => name.endsWith(ENTRY))
      return (await Promise.all(entries.map(readEntry))).flat()
    },
    _read: (id) =>
      folder.read(prefix + id + BYTES).then(
        (bytes) => new Uint8Array(bytes),
        () => undefined,
      ),
    async _remove(id) {
      for (const extension of [ENTRY, BYTES]) await folder.remove(prefix + id + extension)
      started.delete(id)
    },
    _runAlone: (task) => task(),
  }
}

// Not all versions of Hermes have TextEncoder.
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(encodeURIComponent(text), (character) => character.charCodeAt(0))
}

function textOf(bytes: Uint8Array): string {
  return decodeURIComponent(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
