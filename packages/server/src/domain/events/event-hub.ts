import type { ProjectId } from '../../model/ids.ts'
import type { EventStorage } from '../../storage/ports/issues.ts'

/** Notifies live streams that there may be new events in their project. */
export interface EventHub {
  /** Listens until it is stopped. A notification during a read is kept for the next wait. */
  listen(projectId: ProjectId): NewsListener
  /** Wakes everyone: something about projects or keys has changed. */
  wakeAll(): void
  close(): void
}

export interface NewsListener {
  /** Resolves when there may be new events since the last wait, after the timeout, or when the signal aborts. */
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
          // Under load the time may have passed already. A negative time would be a warning of Node on standard error.
          if (!hasNews && !signal.aborted && milliseconds > 0) {
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
