import { constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../core/platform.ts'

const EXTENSION = '.json'
/** Other users of the machine must not read reports. */
const MODE = 0o600
// A link in place of a file is an error: it may point to another file of the user. Windows has no such flag.
const NO_LINKS = constants.O_NOFOLLOW ?? 0
const READ = constants.O_RDONLY | NO_LINKS
const REPLACE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_LINKS

/**
 * One file for each text. It gets its name when it is complete, so half a file is never read. It is written before the
 * call returns, because the process may exit at any time.
 */
export function createDirectoryStore(directory: string): Store {
  const pathOf = (id: string) => join(directory, id + EXTENSION)

  function putNow(id: string, text: string): void {
    const draft = join(directory, `${id}.${process.pid}.tmp`)
    writeFileSync(draft, text, { mode: MODE, flag: REPLACE as unknown as string })
    renameSync(draft, pathOf(id))
  }

  return {
    _putNow: putNow,
    _readNow: (id) => readNote(pathOf(id)),
    _put: async (id, text) => putNow(id, text),
    _remove: async (id) => rmSync(pathOf(id), { force: true }),
    async _readAll() {
      const names = (await readdir(directory)).filter((name) => name.endsWith(EXTENSION)).sort()
      const entries = names.map(async (name) => {
        const text = await read(join(directory, name))
        return text === undefined ? [] : [[name.slice(0, -EXTENSION.length), text] as const]
      })
      return new Map((await Promise.all(entries)).flat())
    },
  }
}

function readNote(path: string): string | null {
  try {
    return readFileSync(path, { encoding: 'utf8', flag: READ as unknown as string })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, { encoding: 'utf8', flag: READ })
  } catch {
    // Another process has already sent it, or it is a link.
    return undefined
  }
}
