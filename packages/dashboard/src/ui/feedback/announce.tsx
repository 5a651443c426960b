import { useSyncExternalStore } from 'react'

let message = ''
const listeners = new Set<() => void>()

/** Says something to people who listen to the page instead of looking at it. */
export function announce(text: string): void {
  // The same words twice are only spoken twice if something about them differs.
  message = message === text ? `${text}\u00a0` : text
  for (const listener of listeners) listener()
}

/** The place that screen readers watch. Once on the page. */
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
