import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { renameDurably } from '../files/whole-files.ts'
import { createFolder } from '../sqlite/driver/create-folder.ts'
import type { Destination, FoundFile } from './destination.ts'

/** Keeps backups in a folder, which is created when it is needed. */
export function createFolderDestination(folder: string): Destination {
  return {
    place: folder,

    partOf(_, series) {
      createFolder(folder)
      return join(folder, `bugle-${series}.part`)
    },

    put: (part, name) => renameDurably(part, join(folder, name)),

    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const files: FoundFile[] = []
      for (const name of names) {
        const found = await sizeOf(join(folder, name))
        if (found !== undefined) files.push({ name, bytes: found })
      }
      return files
    },

    remove: (name) => rm(join(folder, name)),
  }
}

/** `undefined` if it is not a file, or no longer there. */
async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return found?.isFile() ? found.size : undefined
}
