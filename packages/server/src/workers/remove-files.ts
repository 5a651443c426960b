import type { FileName, FileStore } from '../storage/files/file-store.ts'
import type { Storage } from '../storage/storage.ts'

/** Files that are listed, and then removed, together. */
const REMOVE_STEP = 100
/** A store with so many failures is probably out of order. */
const MAX_FAILURES = 100
const SWEEP_STEP = 500
/** Longer than any upload takes from its last byte to its commit. */
export const ORPHAN_AGE_MS = 3_600_000

interface Files {
  readonly storage: Pick<Storage, 'attachments'>
  readonly store: FileStore
}

/**
 * Removes files from the store that no report refers to any more. A call ends early if many cannot be removed, and
 * the next call continues after those, so that they do not delay the others.
 */
export function createFileRemoval({ storage: { attachments }, store }: Files) {
  let last: FileName | null = null

  return async function removeFiles(): Promise<void> {
    while (await attachments.releaseSome());
    const failures: unknown[] = []
    do {
      const names = await attachments.listRemoved(last, REMOVE_STEP)
      const attempt = await removeEach(store, names)
      await attachments.forgetRemoved(attempt.removed)
      failures.push(...attempt.failures)
      last = names.length < REMOVE_STEP ? null : (names.at(-1) ?? null)
    } while (last !== null && failures.length < MAX_FAILURES)
    throwFailures(failures)
  }
}

interface Attempt {
  readonly removed: readonly FileName[]
  readonly failures: readonly unknown[]
}

async function removeEach(store: FileStore, names: readonly FileName[]): Promise<Attempt> {
  const removed: FileName[] = []
  const failures: unknown[] = []
  for (const name of names) {
    try {
      await store.remove(name)
      removed.push(name)
    } catch (error) {
      failures.push(error)
    }
  }
  return { removed, failures }
}

function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return
  throw new Error(`${failures.length} files could not be removed from the store.`, { cause: failures[0] })
}

/**
 * Releases files of reports that are no longer kept, and removes files that interrupted uploads left in the store before
 * a time. Returns the number of those.
 */
export async function sweepFiles(
  { storage: { attachments }, store }: Files,
  before: number,
): Promise<number> {
  for (let place = await attachments.releaseOmitted(null); place !== null; )
    place = await attachments.releaseOmitted(place)
  let removed = await store.removeUnfinished(before)
  const failures: unknown[] = []
  async function removeOrphans(names: readonly FileName[]): Promise<void> {
    const attempt = await removeEach(store, await attachments.findOrphans(names))
    removed += attempt.removed.length
    failures.push(...attempt.failures)
  }
  let old: FileName[] = []
  for await (const { name, storedAt } of store.list()) {
    if (storedAt >= before) continue
    old.push(name)
    if (old.length < SWEEP_STEP) continue
    await removeOrphans(old)
    old = []
  }
  await removeOrphans(old)
  throwFailures(failures)
  return removed
}
