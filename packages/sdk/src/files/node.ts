import { findClient } from '../core/api.ts'
import { enableFilesIn } from '../core/files/files.ts'
import { createFolderFileStore } from '../node/folder-file-store.ts'
import { createQueueDirectory } from '../node/queue-directory.ts'

/** Lets reports have files, and sends those that an earlier process has left. Call it after `init`. */
export function enableFiles(): void {
  const { queueDirectory } = Object(findClient()?._core._options) as { readonly queueDirectory?: string }
  enableFilesIn((scope) => createFolderFileStore(createQueueDirectory(scope, queueDirectory)))
}
