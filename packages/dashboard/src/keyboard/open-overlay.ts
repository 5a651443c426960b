import { useSyncExternalStore } from 'react'

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
  open = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
