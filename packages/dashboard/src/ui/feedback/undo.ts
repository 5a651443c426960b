import { useSyncExternalStore } from 'react'

/** How long a change can be undone by key or palette; its toast disappears sooner. */
const UNDO_MS = 60_000

export interface Undoable {
  /** What was changed. */
  readonly text: string
  /** Undoes the change, and resolves to the result. */
  readonly undo: () => Promise<void>
}

let undoables: readonly Undoable[] = []
const listeners = new Set<() => void>()

/** Makes a change undoable for a minute. */
export function offerUndo(undoable: Undoable): void {
  change([...undoables, undoable])
  setTimeout(() => withdrawUndo(undoable), UNDO_MS)
}

export function withdrawUndo(undoable: Undoable): void {
  change(undoables.filter((other) => other !== undoable))
}

export async function undoChange(undoable: Undoable): Promise<void> {
  if (!undoables.includes(undoable)) return
  withdrawUndo(undoable)
  await undoable.undo()
}

/** Undoes every change of the last minute, the latest first. */
export async function undoEverything(): Promise<void> {
  for (const undoable of undoables.toReversed()) await undoChange(undoable)
}

/** The changes that can be undone, the latest last. */
export function useUndoables(): readonly Undoable[] {
  return useSyncExternalStore(subscribe, () => undoables)
}

function change(next: readonly Undoable[]): void {
  undoables = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
