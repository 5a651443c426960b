import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** An existing folder, and the folders in it that are ours. */
interface Place {
  readonly base: string
  readonly own: readonly string[]
}

/** Creates the queue folder: the configured one, or else in the state folder, or else a temporary one. */
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
      // Read-only, no home folder, or created by another user: the next one is used.
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
 * In a shared temporary folder another user may have created it first, to read reports or to overwrite files. A link,
 * even to one of our folders, a folder of another user, and a folder that others can write to are refused.
 */
function requireOwn(folder: string): void {
  const found = lstatSync(folder)
  const isOwn = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
  if (!found.isDirectory() || !isOwn) throw new Error(`${folder} is not a private folder of this user`)
}
