import { ApiProblem, ApiUnreachable } from '@bugle/client'
import { useEffect, useEffectEvent } from 'react'

const FIRST_LOOK_MS = 1_000
const LAST_LOOK_MS = 5_000

const waiting = new Set<() => void>()
let looks = 0
let isLooking = false

/** Tries again by itself what failed because the server was away, once it is back. */
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

/** Whether the server is there and works; a proxy that responds in its place says that it does not. */
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

/** All that waits shares one look. Not in step with other pages: a server that comes back is not hit by all of them at once. */
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
