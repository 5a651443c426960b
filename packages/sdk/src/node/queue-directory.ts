import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is not ours, and the folders in it that are. */
interface Place {
  readonly base: string
  readonly own: readonly string[]
}

/** Creates the folder that keeps the reports: as told, else where the system keeps state, else a temporary one. */
export function createQueueDirectory(scope: string, wanted: string | undefined): string {
  const places: Place[] =
    wanted === undefined
      ? [
          { base: stateFolder(), own: ['bugle', scope] },
          { base: tmpdir(), own: [`bugle-${process.getuid?.() ?? 'user'}`, scope] },
        ]
      : [{ base: wanted, own: [scope] }]
  for (const place of places)
    try {
      return createPlace(place)
    } catch {
      // Read-only, no home at all, or prepared by somebody else: the next one has to do.
    }
  throw new Error('no folder can be written to')
}

function stateFolder(): string {
  const { env, platform } = process
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? homedir()
  return env['XDG_STATE_HOME'] ?? join(homedir(), platform === 'darwin' ? 'Library/Caches' : '.local/state')
}

function createPlace({ base, own }: Place): string {
  mkdirSync(base, { recursive: true, mode: 0o700 })
  let folder = base
  for (const name of own) {
    folder = join(folder, name)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    requireOwn(folder)
  }
  accessSync(folder, constants.W_OK)
  return folder
}

/**
 * In a shared temporary folder another user may have been there first, to read along or to have files overwritten: a link,
 * even one to a folder of ours, a folder of theirs, or one that they can write to is refused.
 */
function requireOwn(folder: string): void {
  const found = lstatSync(folder)
  const isOwn = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
  if (!found.isDirectory() || !isOwn) throw new Error(`${folder} is not a folder of this user alone`)
}
