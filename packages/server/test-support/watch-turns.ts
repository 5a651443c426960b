/** Watches how much processor time one turn of the event loop takes; `stop` says how much the longest one took. */
export function watchTurns() {
  let longest = 0
  let before = spent()
  let isOver = false
  function turn(): void {
    const now = spent()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    stop() {
      isOver = true
      return longest
    },
  }
}

function spent(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
