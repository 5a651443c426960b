import { accessSync, constants, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** What about its place keeps a database from being opened, and what to do; `undefined`: nothing that can be seen. */
export function findObstacle(path: string): string | undefined {
  const file = resolve(path)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    return `${file} is a folder: set BUGLE_DATABASE_URL to a file in it, as in sqlite:${join(path, 'bugle.db')}.`
  const folder = nearestPlace(dirname(file))
  if (!statSync(folder).isDirectory())
    return `${folder} is no folder: set BUGLE_DATABASE_URL to a file in a folder.`
  const places = [folder, ...(nearestPlace(file) === file ? [file] : [])]
  const closed = places.find((place) => !canWrite(place))
  if (closed === undefined) return undefined
  return `This account may not write to ${closed}: give it the right to, or set BUGLE_DATABASE_URL to another place.`
}

/** The path itself, or what there is of the way to it. */
function nearestPlace(path: string): string {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined
  return isThere || dirname(path) === path ? path : nearestPlace(dirname(path))
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    // Whatever the reason is, SQLite would meet it too.
    return false
  }
}
