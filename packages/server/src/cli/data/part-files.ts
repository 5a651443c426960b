import { access } from 'node:fs/promises'
import { PartNotCreated, renameDurably, writeWhole } from '../../storage/backups.ts'
import { CommandError } from '../command.ts'

/** Creates a file that is complete as soon as it has its name: it is written next to it, and renamed only if everything succeeded. */
export async function makeWhole<T>(
  file: string,
  write: (part: string) => Promise<T>,
  putInPlace: (part: string) => void | Promise<void> = (part) => renameDurably(part, file),
): Promise<T> {
  const part = `${file}.part`
  return writeWhole(
    part,
    () => write(part),
    () => putInPlace(part),
  ).catch((error: unknown) => {
    if (error instanceof PartNotCreated) throw new CommandError(error.message, { cause: error })
    throw error
  })
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
