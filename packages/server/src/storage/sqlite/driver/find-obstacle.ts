import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const { W_OK, X_OK } = constants

/** Why a database at this path cannot be opened, and what to do; `undefined` if no reason is visible. */
export function findObstacle(path: string): string | undefined {
  const file = resolve(path)
  if (lookAt(file)?.isDirectory())
    return `${file} is a folder: set BUGLE_DATABASE_URL to a file in it, as in sqlite:${join(path, 'bugle.db')}.`
  const folder = nearestPlace(dirname(file))
  if (lookAt(folder)?.isDirectory() === false)
    return `${folder} is not a folder: set BUGLE_DATABASE_URL to a file in a folder.`
  const files = [file, `${file}-wal`, `${file}-shm`].filter((place) => lookAt(place) !== undefined)
  const closed = isOpen(folder, W_OK | X_OK) ? files.find((place) => !isOpen(place, W_OK)) : folder
  if (closed === undefined) return undefined
  return `This account may not write to ${closed}: grant it write access, or set BUGLE_DATABASE_URL to another path.`
}

/** The path itself, or its nearest visible parent. */
function nearestPlace(path: string): string {
  return lookAt(path) !== undefined || dirname(path) === path ? path : nearestPlace(dirname(path))
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    // Missing or not accessible: the folder above it explains why.
    return undefined
  }
}

function isOpen(path: string, rights: number): boolean {
  try {
    accessSync(path, rights)
    return true
  } catch {
    // SQLite would fail for the same reason.
    return false
  }
}
