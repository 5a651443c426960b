// Loaded into every server that is measured (`--import`): answers what the process has used, all its threads included.
// It is plain JavaScript, because to strip types would cost the server memory and time that are not its own.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const STALL_RESOLUTION_MS = 10

if (isMainThread && process.send !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: STALL_RESOLUTION_MS })
  delays.enable()
  process.on('message', (message) => {
    if (message !== 'usage') return
    const { user, system } = process.cpuUsage()
    process.send({
      cpuMicros: user + system,
      memoryBytes: process.memoryUsage.rss(),
      longestStallMs: Math.max(0, delays.max / 1e6 - STALL_RESOLUTION_MS),
    })
    delays.reset()
  })
  // The channel alone keeps no process alive.
  process.channel?.unref()
}
