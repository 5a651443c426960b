import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Other accounts on the machine must not access it. */
const OWNER_ONLY = 0o700

/** Creates a folder, and those above it that are missing. Node's recursive mkdir never returns if an existing folder reports ENOENT, as /proc does. */
export function createFolder(path: string): void {
  if (existsSync(path)) return
  createFolder(dirname(path))
  try {
    mkdirSync(path, { mode: OWNER_ONLY })
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
