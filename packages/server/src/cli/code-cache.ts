import { lstatSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const OWNER_ONLY = 0o700
const WRITABLE_BY_OTHERS = 0o022

/**
 * The folder for compiled code, which is run as it is found there: one of this account that no other can write to, or none.
 * Node's own choice would be the folder for temporary files, where anybody may have made it before.
 */
export function findCodeCache(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { NODE_COMPILE_CACHE, CACHE_DIRECTORY, XDG_CACHE_HOME, LOCALAPPDATA } = environment
  if (NODE_COMPILE_CACHE) return NODE_COMPILE_CACHE
  // The first is what systemd gives a service.
  const folder = join(CACHE_DIRECTORY || XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache'), 'bugle')
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
    return isOurs(folder) ? folder : undefined
  } catch {
    // No home, or none that can be written to: then every start compiles.
    return undefined
  }
}

function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder)
  // Windows has no such owners; its folder is the account's own.
  return process.getuid === undefined || (uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0)
}
