import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes the folder that keeps a project's reports: as told, else where the system keeps state, else a temporary one. */
export function makeQueueDirectory(scope: string, wanted: string | undefined): string {
  const candidates = wanted === undefined ? [stateFolder(), temporaryFolder()] : [wanted]
  const made = candidates.map((folder) => join(folder, scope)).find(canUse)
  if (made === undefined) throw new Error('no folder can be written to')
  return made
}

function stateFolder(): string {
  const { env, platform } = process
  const base =
    platform === 'win32'
      ? env['LOCALAPPDATA']
      : (env['XDG_STATE_HOME'] ?? join(homedir(), platform === 'darwin' ? 'Library/Caches' : '.local/state'))
  return join(base ?? homedir(), 'bugle')
}

function temporaryFolder(): string {
  return join(tmpdir(), `bugle-${process.getuid?.() ?? 'user'}`)
}

function canUse(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    // In a shared temporary folder somebody else may have made it first, to read along.
    return process.getuid === undefined || statSync(folder).uid === process.getuid()
  } catch {
    // Read-only, or no home at all: the next one has to do.
    return false
  }
}
