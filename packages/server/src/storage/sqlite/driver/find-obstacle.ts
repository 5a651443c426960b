import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const { W_OK, X_OK } = constants

/** What about its place keeps a database from being opened, and what to do; `undefined`: nothing that can be seen. */
export function findObstacle(path: string): string | undefined {
  const file = resolve(path)
  if (lookAt(file)?.isDirectory())
    return `${file} is a folder: set BUGLE_DATABASE_URL to a file in it, as in sqlite:${join(path, 'bugle.db')}.`
  const folder = nearestPlace(dirname(file))
  if (lookAt(folder)?.isDirectory() === false)
    return `${folder} is no folder: set BUGLE_DATABASE_URL to a file in a folder.`
  const files = [file, `${file}-wal`, `${file}-shm`].filter((place) => lookAt(place) !== undefined)
  const closed = isOpen(folder, W_OK | X_OK) ? files.find((place) => !isOpen(place, W_OK)) : folder
  if (closed === undefined) return undefined
  return `This account may not write to ${closed}: give it the right to, or set BUGLE_DATABASE_URL to another place.`
}

/** The path itself, or what can be seen of the way to it. */
function nearestPlace(path: string): string {
  return lookAt(path) !== undefined || dirname(path) === path ? path : nearestPlace(dirname(path))
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    // Not there, or not for us to see: then what is before it tells why.
    return undefined
  }
}

function isOpen(path: string, rights: number): boolean {
  try {
    accessSync(path, rights)
    return true
  } catch {
    // Whatever the reason is, SQLite would meet it too.
    return false
  }
}
