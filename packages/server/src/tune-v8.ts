import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How long to wait after the start, so that the first requests are not delayed. */
const AFTER_START_MS = 1_000

/**
 * Turns the optimizing compilers off until {@link tuneV8}: optimizing the code of a startup takes 4 MB that an idle server
 * never releases. Call it when the code is loaded, because V8 rejects code that was cached with other settings, and when
 * the threads of the startup exist, because a thread that starts without these compilers can never use them.
 */
export function pauseOptimization(): void {
  for (const compiler of OPTIMIZING_COMPILERS) setFlagsFromString(`--no-${compiler}`)
}

const OPTIMIZING_COMPILERS = ['maglev', 'turbofan']

/**
 * Adapts V8 to a server. Call it when the server has started: V8 rejects code that was cached with other settings, and
 * would compile Node's own modules again, in every thread.
 */
export function tuneV8(): void {
  for (const compiler of OPTIMIZING_COMPILERS) setFlagsFromString(`--${compiler}`)
  // Requests create little garbage, which is collected often: helper threads cost more than they save, a fifth of all CPU time on few cores.
  setFlagsFromString('--no-parallel-scavenge')
  // The live heap is small too: collecting it when it has grown by a third saves 80 MB.
  setFlagsFromString('--heap-growing-percent=30')
  // While the young generation is small, objects of requests seem long-lived. V8 would then allocate them in the old generation, where they stay
  // until it is collected, with everything they refer to. This happens in few starts, but then for as long as the server runs.
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/**
 * Runs a garbage collection once, after startup. An idle thread allocates too little to trigger one and would
 * keep the garbage of the startup as long as it is idle: 10 MB on the main thread. Takes about 30 ms.
 */
export function collectGarbageOfStart(): void {
  setTimeout(() => {
    // Contexts that are created from now on have the function; the current one does not.
    setFlagsFromString('--expose-gc')
    // The collection discards the hidden classes of objects that only exist for a moment. V8 then no longer optimizes how Node creates
    // a tick, which would take 2 µs instead of 0.2 from then on. A pending tick keeps its class alive.
    process.nextTick(() => undefined)
    runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, AFTER_START_MS).unref()
}
