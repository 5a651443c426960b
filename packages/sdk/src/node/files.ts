import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The text of a file; empty if it cannot be read, because it is only one of several sources. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Missing, a folder, or not readable: the next source is used.
    return ''
  }
}

/** The path of a file or folder of this name, in the folder or the nearest one above it. */
export function findAbove(folder: string, name: string): string | undefined {
  const path = join(folder, name)
  if (existsSync(path)) return path
  const parent = dirname(folder)
  return parent === folder ? undefined : findAbove(parent, name)
}
