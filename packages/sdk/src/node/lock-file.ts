import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** Longer than sending a full queue takes; a lock this old was left behind. */
const MAX_AGE_MS = 10 * 60_000

/** Does the task unless another living process holds the lock; says whether it did. */
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
    // It is gone already.
    return true
  }
}

function isAlive(processId: number): boolean {
  try {
    // Signal 0 only asks. Our own number means an earlier process had it: we do not wait for ourselves.
    return processId !== process.pid && process.kill(processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
