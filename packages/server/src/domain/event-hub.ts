import type { ProjectId } from '../ids.ts'
import type { EventStorage } from '../storage/storage.ts'

/** Where readers of live streams wait for news of their project. */
export interface EventHub {
  /** Settles when there may be news, when the time is over, or when the signal says so. */
  wait(projectId: ProjectId, milliseconds: number, signal: AbortSignal): Promise<void>
  /** Wakes everyone: something about projects or keys has changed. */
  wakeAll(): void
  close(): void
}

export function createEventHub(events: EventStorage): EventHub {
  const waiting = new Map<ProjectId, Set<() => void>>()

  function wake(projectId: ProjectId): void {
    const readers = waiting.get(projectId)
    waiting.delete(projectId)
    for (const proceed of readers ?? []) proceed()
  }

  function wakeAll(): void {
    for (const projectId of [...waiting.keys()]) wake(projectId)
  }

  const unsubscribe = events.subscribe((projectId) => (projectId === null ? wakeAll() : wake(projectId)))

  return {
    wait(projectId, milliseconds, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const readers = waiting.get(projectId) ?? new Set()
        waiting.set(projectId, readers)
        const timer = setTimeout(proceed, milliseconds)
        function proceed(): void {
          clearTimeout(timer)
          readers.delete(proceed)
          signal.removeEventListener('abort', proceed)
          resolve()
        }
        readers.add(proceed)
        signal.addEventListener('abort', proceed)
      })
    },
    wakeAll,
    close() {
      unsubscribe()
      wakeAll()
    },
  }
}
