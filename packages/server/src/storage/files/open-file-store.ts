import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Bucket } from '../../s3-url.ts'
import { IN_MEMORY } from '../sqlite/driver/connection.ts'
import type { Storage } from '../storage.ts'
import type { FileStore } from './file-store.ts'
import { createFolderStore, folderOf } from './folder-store.ts'

interface Place {
  readonly databaseUrl: string
  readonly bucket: S3Bucket | null
  readonly storage: Pick<Storage, 'ownFiles'>
}

/** Opens the store of files: a bucket if one is named, otherwise the database or a folder next to it. */
export async function openFileStore({ databaseUrl, bucket, storage }: Place): Promise<FileStore> {
  // Loaded only if it is used.
  if (bucket !== null) return (await import('./s3-store.ts')).createS3Store(bucket)
  return storage.ownFiles ?? openFolder(databaseUrl.replace(/^sqlite:/, ''))
}

function openFolder(databasePath: string): FileStore {
  return databasePath === IN_MEMORY ? createPassingStore() : createFolderStore(folderOf(databasePath))
}

/** Keeps files no longer than a database in memory. The folder is created by the first file. */
function createPassingStore(): FileStore {
  let store: FileStore | undefined
  let folder: string | undefined
  function open(): FileStore {
    folder ??= mkdtempSync(join(tmpdir(), 'bugle-files-'))
    store ??= createFolderStore(folder)
    return store
  }
  return {
    place: 'a temporary folder',
    put: (file, bytes) => open().put(file, bytes),
    size: (name) => open().size(name),
    read: (name, range) => open().read(name, range),
    remove: async (name) => store?.remove(name),
    async *list() {
      if (store !== undefined) yield* store.list()
    },
    removeUnfinished: async (before) => store?.removeUnfinished(before) ?? 0,
    space: () => open().space(),
    async close() {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
