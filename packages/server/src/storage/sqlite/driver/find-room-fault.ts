import { statfsSync, statSync } from 'node:fs'
import { sizeText } from '../../../byte-sizes.ts'

/** The free space that a copy needs, in relation to what is copied: what is copied can grow meanwhile. */
const ROOM = 1.1

/** Something that is copied as a whole. */
interface Copy {
  /** As the subject of a sentence. */
  readonly what: string
  /** What is copied, as in "the database". */
  readonly of: string
  readonly bytes: number
  /** Where it is written. */
  readonly folder: string
}

/** Why a folder has no room for a copy, and what to do; `undefined` if it has. */
export function findRoomFault({ what, of, bytes, folder }: Copy): string | undefined {
  const { bavail, blocks, bsize } = statfsSync(folder)
  const [needed, free] = [bytes * ROOM, bavail * bsize]
  // Some file systems, usually remote ones, do not know how large they are.
  if (blocks === 0 || free >= needed) return undefined
  return `${what} requires ${sizeText(needed)} of free disk space in ${folder} (the size of ${of} plus 10%), but only ${sizeText(free)} is free. Free up space there, or use a larger disk.`
}

/** The size of a database and its log. */
export function databaseBytes(path: string): number {
  return statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)
}
