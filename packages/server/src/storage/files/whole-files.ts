import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Readable by the owner only: the file contains webhook secrets and password hashes. */
const FILE_MODE = 0o600

/** The file could not be created. */
export class PartNotCreated extends Error {
  override readonly name = 'PartNotCreated'
}

/** Writes a file under the name of a part, syncs it, and puts it in place only if everything succeeded. Otherwise nothing is left. */
export async function writeWhole<T>(
  part: string,
  write: () => Promise<T>,
  putInPlace: (written: T) => void | Promise<void>,
): Promise<T> {
  await removePart(part)
  const handle = await open(part, 'wx', FILE_MODE).catch((cause: Error) => {
    throw new PartNotCreated(`${part} cannot be written: ${cause.message}`, { cause })
  })
  try {
    const written = await write()
    await handle.sync()
    await putInPlace(written)
    return written
  } catch (error) {
    await removePart(part)
    throw error
  } finally {
    await handle.close()
  }
}

/** What SQLite keeps next to a file while it writes. It would be replayed into the next one. */
const ENDINGS = ['', '-journal', '-wal', '-shm']

/** Removes a part, and what SQLite keeps next to it. */
export async function removePart(part: string): Promise<void> {
  for (const ending of ENDINGS) await rm(part + ending, { force: true })
}

export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  // Windows cannot open folders; there, a rename is durable without it.
  if (process.platform === 'win32') return
  await using folder = await open(dirname(to))
  await folder.sync()
}
