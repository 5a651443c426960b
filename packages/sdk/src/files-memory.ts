import { createMemoryFileStore } from './core/files/file-store.ts'
import { enableFilesIn } from './core/files/files.ts'

/** Lets reports have files. On this platform they are kept as long as the app runs. Call it after `init`. */
export function enableFiles(): void {
  enableFilesIn(createMemoryFileStore)
}
