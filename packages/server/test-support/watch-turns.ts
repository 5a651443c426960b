/** Twice the server's bound: the clients run in this process too. */
const LONG_TURN_MS = 100

/** A turn of the event loop that took long and did most of the work. */
export interface LongTurn {
  readonly ms: number
  readonly ofMs: number
}

/**
 * Measures how much CPU time the turns of the event loop take. `stop` returns the longest one if it took long and did
 * most of the work: garbage collection and page faults now and then make a turn long too, but not that long.
 */
export function watchTurns() {
  const began = spent()
  let longest = 0
  let before = began
  let isOver = false
  function turn(): void {
    const now = spent()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    /** The longest turn so far. */
    get longestMs() {
      return longest
    },
    stop(): LongTurn | null {
      isOver = true
      const all = spent() - began
      return longest > LONG_TURN_MS && longest > all / 2 ? { ms: longest, ofMs: all } : null
    },
  }
}

function spent(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
