import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Files in memory, on Linux. */
const HOME = '/dev/shm'
const LEAST_FREE = 8 * 1024 ** 3
const LEAST_MEMORY = 16 * 1024 ** 3
/** The process that made a folder. */
const OWNER = /^bugle-(\d+)-/

/**
 * Makes a folder in memory, if enough is free: creating and dropping hundreds of databases costs more in the file system of a
 * disk than in PostgreSQL. Deletes what killed runs have left there.
 */
export function folderInMemory(): string | undefined {
  if (!existsSync(HOME)) return undefined
  for (const name of readdirSync(HOME)) {
    const [, owner] = OWNER.exec(name) ?? []
    if (owner !== undefined && !isRunning(Number(owner)))
      rmSync(join(HOME, name), { recursive: true, force: true })
  }
  const { bavail, bsize } = statfsSync(HOME)
  if (bavail * bsize < LEAST_FREE || process.availableMemory() < LEAST_MEMORY) return undefined
  return mkdtempSync(join(HOME, `bugle-${process.pid}-`))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
