import { createBrowserFileStore } from '../browser/file-store.ts'
import { enableFilesIn } from '../core/files/files.ts'

/** Lets reports have files, and sends those that an earlier page has left. Call it after `init`. */
export function enableFiles(): void {
  enableFilesIn(createBrowserFileStore)
}
