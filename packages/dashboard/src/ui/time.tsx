import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000
const UNITS = [
  { unit: 'y', seconds: 31_536_000 },
  { unit: 'mo', seconds: 2_592_000 },
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3_600 },
  { unit: 'm', seconds: 60 },
] as const

/** How long ago, in short: `now`, `5m`, `3h`, `12d`. */
export function formatAge(at: string, now: number): string {
  const seconds = (now - Date.parse(at)) / 1_000
  const found = UNITS.find((candidate) => seconds >= candidate.seconds)
  return found === undefined ? 'now' : `${Math.floor(seconds / found.seconds)}${found.unit}`
}

const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

export function formatMoment(at: string): string {
  return FULL.format(Date.parse(at))
}

/** How long ago something happened; the exact time on hover. */
export function Age({ at }: { readonly at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatAge(at, now)}
    </time>
  )
}

/** The same inside a sentence: `just now`, `3h ago`. */
export function Ago({ at }: { readonly at: string }) {
  const age = formatAge(at, useNow())
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {age === 'now' ? 'just now' : `${age} ago`}
    </time>
  )
}

let now = Date.now()
let ticking: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** The current time, to the minute: one clock for the whole page. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  ticking ??= setInterval(tick, MINUTE_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}
