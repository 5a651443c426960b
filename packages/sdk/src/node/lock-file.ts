import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** Longer than sending a full queue takes; a lock this old was left behind. */
const MAX_AGE_MS = 10 * 60_000

/** Runs the task unless another running process holds the lock; returns whether it did. */
export async function runLocked(lock: string, task: () => Promise<void>): Promise<boolean> {
  if (!take(lock) && !(isLeftBehind(lock) && take(lock))) return false
  try {
    await task()
  } finally {
    rmSync(lock, { force: true })
  }
  return true
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isLeftBehind(lock: string): boolean {
  try {
    const isOld = Date.now() - statSync(lock).mtimeMs > MAX_AGE_MS
    if (!isOld && isAlive(Number(readFileSync(lock, 'utf8')))) return false
    rmSync(lock, { force: true })
    return true
  } catch {
    // Already removed.
    return true
  }
}

function isAlive(processId: number): boolean {
  try {
    // Signal 0 only checks. Our own id means that an earlier process had it, so it is not locked.
    return processId !== process.pid && process.kill(processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
