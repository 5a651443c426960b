import { ApiProblem, ApiUnreachable } from '@bugle/client'
import { useEffect, useEffectEvent } from 'react'

const FIRST_LOOK_MS = 1_000
const LAST_LOOK_MS = 5_000

const waiting = new Set<() => void>()
let looks = 0
let isLooking = false

/** Retries automatically what failed because the server was unavailable, once it is back. */
export function useRecovery(error: unknown, retry: () => void): void {
  const tryAgain = useEffectEvent(retry)
  const isAway = isOutage(error)
  useEffect(() => {
    if (!isAway) return
    const listener = () => tryAgain()
    waiting.add(listener)
    lookLater()
    return () => {
      waiting.delete(listener)
    }
  }, [isAway])
}

/** Whether the server is ready; a proxy that responds in its place reports that it is not. */
export async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/readyz', { cache: 'no-store' })).status < 500
  } catch {
    return false
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof ApiUnreachable || (error instanceof ApiProblem && error.status >= 500)
}

/** All waiting requests share one check, at a random interval, so that a restarted server is not hit by all pages at once. */
function lookLater(): void {
  if (isLooking) return
  isLooking = true
  const pause = Math.min(FIRST_LOOK_MS * 2 ** looks, LAST_LOOK_MS)
  setTimeout(() => void look(), pause * (0.75 + Math.random() / 2))
}

async function look(): Promise<void> {
  const isThere = waiting.size > 0 && (await isServerThere())
  isLooking = false
  looks++
  if (isThere) for (const listener of waiting) listener()
  if (waiting.size > 0) lookLater()
  else looks = 0
}
