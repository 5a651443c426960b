import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError, failingWith } from '../command.ts'

/** Readable by the owner only: the file contains webhook secrets and password hashes. */
const FILE_MODE = 0o600

/**
 * Creates a file that is complete as soon as it has its name: it is written next to it, synced, and renamed only if
 * everything succeeded.
 */
export async function makeWhole<T>(
  file: string,
  write: (part: string) => Promise<T>,
  putInPlace: (part: string) => void | Promise<void> = (part) => renameDurably(part, file),
): Promise<T> {
  const part = `${file}.part`
  await rm(part, { force: true })
  const handle = await open(part, 'wx', FILE_MODE).catch(failingWith(`${part} cannot be written`))
  try {
    const result = await write(part)
    await handle.sync()
    await putInPlace(part)
    return result
  } catch (error) {
    for (const leftover of [part, `${part}-journal`]) await rm(leftover, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

async function renameDurably(part: string, file: string): Promise<void> {
  await rename(part, file)
  await using folder = await open(dirname(file))
  await folder.sync()
}

export async function refuseToOverwrite(file: string): Promise<void> {
  if (await exists(file)) throw new CommandError(`${file} already exists; remove it, or choose another name`)
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
