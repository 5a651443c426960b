import { lstatSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const OWNER_ONLY = 0o700
const WRITABLE_BY_OTHERS = 0o022

/**
 * The folder for compiled code, which Node runs unchecked: a folder of this account that no one else can write to, or none.
 * Node's default is the temporary folder, where another user could have created it first.
 */
export function findCodeCache(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { NODE_COMPILE_CACHE, CACHE_DIRECTORY, XDG_CACHE_HOME, LOCALAPPDATA } = environment
  if (NODE_COMPILE_CACHE) return NODE_COMPILE_CACHE
  // systemd sets the first one for a service.
  const folder = join(CACHE_DIRECTORY || XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache'), 'bugle')
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
    return isOurs(folder) ? folder : undefined
  } catch {
    // Without a writable home folder, every start compiles.
    return undefined
  }
}

function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder)
  // Windows has no such owners, but the folder belongs to the account.
  return process.getuid === undefined || (uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0)
}
