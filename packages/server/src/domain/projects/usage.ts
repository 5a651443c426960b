import type { Clock } from '../../clock.ts'

/** Tracks when things were used, and stores it periodically, so that requests do not wait for it. */
export interface Usage<I> {
  note(id: I): void
  /** When it was used, if that is not stored yet. */
  lastNoted(id: I): number | undefined
  flush(): Promise<void>
}

export interface Use<I> {
  readonly id: I
  readonly at: number
}

export function createUsage<I>(record: (uses: readonly Use<I>[]) => Promise<void>, clock: Clock): Usage<I> {
  let used = new Map<I, number>()
  return {
    note(id) {
      used.set(id, clock())
    },
    lastNoted: (id) => used.get(id),
    async flush() {
      if (used.size === 0) return
      const uses = [...used].map(([id, at]) => ({ id, at }))
      used = new Map()
      await record(uses)
    },
  }
}
