import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../core/platform.ts'

const EXTENSION = '.json'
/** Reports may hold what nobody else on the machine should read. */
const MODE = 0o600

/** A store that can also finish what it has begun when the process ends. */
export interface DirectoryStore extends Store {
  /** Writes, before the call returns, what is still being written. */
  finishNow(): void
}

/** One file for each text. It gets its name when it is complete, so half a file is never read. */
export function createDirectoryStore(directory: string): DirectoryStore {
  const unfinished = new Map<string, string>()
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other, so that a removal never overtakes the writing. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = last.then(action)
    last = result.catch(() => undefined)
    return result
  }

  const pathOf = (id: string) => join(directory, id + EXTENSION)
  const draftOf = (id: string) => join(directory, `${id}.${process.pid}.tmp`)

  function putNow(id: string, text: string): void {
    writeFileSync(draftOf(id), text, { mode: MODE })
    renameSync(draftOf(id), pathOf(id))
  }

  return {
    putNow,
    readNow: (id) => readFileSync(pathOf(id), 'utf8'),
    put(id, text) {
      unfinished.set(id, text)
      return inTurn(async () => {
        await writeFile(draftOf(id), text, { mode: MODE })
        await rename(draftOf(id), pathOf(id))
        if (unfinished.get(id) === text) unfinished.delete(id)
      })
    },
    remove(id) {
      unfinished.delete(id)
      return inTurn(() => rm(pathOf(id), { force: true }))
    },
    readAll: () =>
      inTurn(async () => {
        const names = (await readdir(directory)).filter((name) => name.endsWith(EXTENSION)).sort()
        const entries = names.map(async (name) => {
          const text = await read(join(directory, name))
          return text === undefined ? [] : [[name.slice(0, -EXTENSION.length), text] as const]
        })
        return new Map((await Promise.all(entries)).flat())
      }),
    finishNow() {
      for (const [id, text] of unfinished) putNow(id, text)
    },
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    // Another process has sent it meanwhile.
    return undefined
  }
}
