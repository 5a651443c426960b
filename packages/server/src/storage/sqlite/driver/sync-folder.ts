import { closeSync, fsyncSync, openSync } from 'node:fs'

/** So that renamed files keep their new names after a power failure. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
