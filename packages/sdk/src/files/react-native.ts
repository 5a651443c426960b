import { createMemoryFileStore } from '../core/files/file-store.ts'
import { enableFilesIn } from '../core/files/files.ts'
import { createFileFolderStore, type FileFolder } from '../react-native/file-folder-store.ts'

/** The options of `enableFiles`. */
export interface FilesOptions {
  /** Where files are kept until they have arrived; without one, only as long as the app runs. */
  readonly folder?: FileFolder | undefined
}

/** Lets reports have files, and sends those that an earlier start has left. Call it after `init`. */
export function enableFiles({ folder }: FilesOptions = {}): void {
  enableFilesIn((scope) => (folder ? createFileFolderStore(folder, scope) : createMemoryFileStore()))
}

export type { FileFolder } from '../react-native/file-folder-store.ts'
