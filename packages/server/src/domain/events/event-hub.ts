import type { ProjectId } from '../../model/ids.ts'
import type { EventStorage } from '../../storage/storage.ts'

/** Tells readers of live streams that there may be news of their project. */
export interface EventHub {
  /** Listens from now on, until it is stopped: news that comes while a reader reads is kept for its next wait. */
  listen(projectId: ProjectId): NewsListener
  /** Wakes everyone: something about projects or keys has changed. */
  wakeAll(): void
  close(): void
}

export interface NewsListener {
  /** Settles when there may have been news since the last wait, when the time is over, or when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
  stop(): void
}

export function createEventHub(events: EventStorage): EventHub {
  const listeners = new Map<ProjectId, Set<() => void>>()

  function wake(projectId: ProjectId): void {
    for (const tell of listeners.get(projectId) ?? []) tell()
  }

  function wakeAll(): void {
    for (const projectId of listeners.keys()) wake(projectId)
  }

  const unsubscribe = events.subscribe((projectId) => (projectId === null ? wakeAll() : wake(projectId)))

  return {
    listen(projectId) {
      let hasNews = false
      let proceed: (() => void) | undefined
      const tell = () => {
        hasNews = true
        proceed?.()
      }
      const others = listeners.get(projectId) ?? new Set()
      listeners.set(projectId, others.add(tell))
      return {
        async wait(milliseconds, signal) {
          if (!hasNews && !signal.aborted) {
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, milliseconds)
              proceed = () => {
                clearTimeout(timer)
                resolve()
              }
              signal.addEventListener('abort', proceed, { once: true })
            })
            if (proceed !== undefined) signal.removeEventListener('abort', proceed)
            proceed = undefined
          }
          hasNews = false
        },
        stop() {
          others.delete(tell)
          if (others.size === 0 && listeners.get(projectId) === others) listeners.delete(projectId)
        },
      }
    },
    wakeAll,
    close() {
      unsubscribe()
      wakeAll()
    },
  }
}
