/** How long steps may take in one turn of the event loop, so that other work is done in between. */
const TURN_MS = 5

/** Spreads costly work over turns of the event loop. A single step is not delayed. */
export interface Turns {
  /** Runs a step when it is its turn: first come, first served. */
  take<T>(step: () => Promise<T>): Promise<T>
}

/**
 * Starts steps until a turn has taken {@link TURN_MS}, then leaves the rest to the next turn. At most `atOnce` steps wait for a
 * database or a thread at the same time.
 */
export function createTurns(atOnce = Number.POSITIVE_INFINITY, now = () => performance.now()): Turns {
  const waiting: (() => Promise<void>)[] = []
  let running = 0
  let isTurnOpen = false
  let turnBegan = 0

  /** A single step starts at once. Further immediates in the same turn of the event loop do not start another. */
  function openTurn(): void {
    if (!beginTurn()) return
    setImmediate(() => setImmediate(nextTurn))
  }

  function nextTurn(): void {
    isTurnOpen = false
    if (beginTurn()) setImmediate(nextTurn)
  }

  function beginTurn(): boolean {
    if (isTurnOpen || waiting.length === 0 || running >= atOnce) return false
    isTurnOpen = true
    turnBegan = now()
    beginNext()
    return true
  }

  /** The next step starts when this one is done: its promises settle first, so its time counts. */
  function beginNext(): void {
    if (running >= atOnce || now() - turnBegan >= TURN_MS) return
    const step = waiting.shift()
    if (step === undefined) return
    running++
    step().finally(() => {
      running--
      if (isTurnOpen) beginNext()
      else openTurn()
    })
  }

  return {
    take(step) {
      return new Promise((resolve, reject) => {
        waiting.push(() => step().then(resolve, reject))
        openTurn()
      })
    },
  }
}
