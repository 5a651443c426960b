import { useSyncExternalStore } from 'react'
import { dropKeys, holdKeys } from '../ui/hold-keys.ts'

type Overlay = 'palette' | 'help' | null

let open: Overlay = null
const listeners = new Set<() => void>()

export function openPalette(): void {
  show('palette')
}

export function openHelp(): void {
  show('help')
}

export function closeOverlay(): void {
  show(null)
}

/** Which of the two is open: one at a time. */
export function useOverlay(): Overlay {
  return useSyncExternalStore(subscribe, () => open)
}

function show(next: Overlay): void {
  // An open overlay already has the focus, so nothing would deliver the held keys.
  if (next === null) dropKeys()
  else if (next !== open) holdKeys(closeOverlay)
  open = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
