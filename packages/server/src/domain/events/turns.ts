/** What steps may take of one turn of the event loop, so that everything else gets in between. */
const TURN_MS = 5

/** Spreads costly work over turns of the event loop. Work that comes alone is not delayed. */
export interface Turns {
  /** Runs a step when it is its turn: first come, first served. */
  take<T>(step: () => Promise<T>): Promise<T>
}

/**
 * Begins steps until a turn has taken {@link TURN_MS}, then leaves the rest to the next one. Of steps that wait for a
 * database or a thread, at most `atOnce` are under way.
 */
export function createTurns(atOnce = Number.POSITIVE_INFINITY): Turns {
  const waiting: (() => Promise<void>)[] = []
  let running = 0
  let isTurnOpen = false
  let turnBegan = 0

  /** What comes alone begins at once. Immediates that follow in the same turn of the event loop do not begin another one. */
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
    turnBegan = performance.now()
    beginNext()
    return true
  }

  /** The next one begins when this one is done: its promises settle before, so its time counts. */
  function beginNext(): void {
    if (running >= atOnce || performance.now() - turnBegan >= TURN_MS) return
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
