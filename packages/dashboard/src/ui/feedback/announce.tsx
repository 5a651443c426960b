import { useSyncExternalStore } from 'react'

let message = ''
const listeners = new Set<() => void>()

/** Announces a text to screen readers. */
export function announce(text: string): void {
  // A repeated text is only announced again if it differs.
  message = message === text ? `${text}\u00a0` : text
  for (const listener of listeners) listener()
}

/** The live region for screen readers. Once on the page. */
export function Announcer() {
  const text = useSyncExternalStore(subscribe, () => message)
  return (
    <div className="visually-hidden" role="status" aria-live="polite" aria-label="Announcements">
      {text}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
