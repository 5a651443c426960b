// Loaded into every server that is measured (`--import`): reports the resource usage of the process, including all its threads.
// It is plain JavaScript, because stripping types would add to the memory and time of the server.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const STALL_RESOLUTION_MS = 10

if (isMainThread && process.send !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: STALL_RESOLUTION_MS })
  delays.enable()
  const turns = watchTurns()
  process.on('message', (message) => {
    if (message !== 'usage') return
    const { user, system } = process.cpuUsage()
    process.send({
      cpuMicros: user + system,
      memoryBytes: process.memoryUsage.rss(),
      longestStallMs: Math.max(0, delays.max / 1e6 - STALL_RESOLUTION_MS),
      longestTurnCpuMs: turns.takeLongest(),
    })
    delays.reset()
  })
  // The channel does not keep the process alive.
  process.channel?.unref()
}

/**
 * A timer that is due fires after every turn of the event loop. So the CPU time of the main thread between
 * two firings is, apart from the interval itself, that of one turn. Other processes on the machine do not
 * affect it.
 */
function watchTurns() {
  let before = threadCpuMs()
  let longest = 0
  function note() {
    const now = threadCpuMs()
    longest = Math.max(longest, now - before - STALL_RESOLUTION_MS)
    before = now
  }
  setInterval(note, STALL_RESOLUTION_MS).unref()
  return {
    takeLongest() {
      note()
      const taken = longest
      longest = 0
      return taken
    },
  }
}

function threadCpuMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
