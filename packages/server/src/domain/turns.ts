/** Runs steps of long work, one in each turn of the event loop, so that everything else gets in between. */
export interface Turns {
  /** Runs a step when it is its turn: first come, first served. */
  take<T>(step: () => Promise<T>): Promise<T>
}

/** At most `atOnce` steps that wait for a database run at the same time. */
export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = []
  let running = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || running >= atOnce || waiting.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      running++
      waiting.shift()?.()
      schedule()
    })
  }

  return {
    async take(step) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        schedule()
      })
      try {
        return await step()
      } finally {
        running--
        schedule()
      }
    },
  }
}
