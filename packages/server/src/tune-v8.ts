import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How long to wait after the start, so that the first requests are not delayed. */
const AFTER_START_MS = 1_000

/**
 * Turns the optimizing compilers off until {@link resumeOptimization}: optimizing the code of a startup takes 4 MB that an idle server
 * never releases. Call it when the code is loaded, because V8 rejects code that was cached with other settings, and when
 * the threads of the startup exist, because a thread that starts without these compilers can never use them.
 */
export function pauseOptimization(): void {
  for (const compiler of OPTIMIZING_COMPILERS) setFlagsFromString(`--no-${compiler}`)
}

/** Call it before the server listens: requests may start threads. */
export function resumeOptimization(): void {
  for (const compiler of OPTIMIZING_COMPILERS) setFlagsFromString(`--${compiler}`)
}

const OPTIMIZING_COMPILERS = ['maglev', 'turbofan']

/**
 * Adapts V8 to a server. Call it when the server has started: V8 rejects code that was cached with other settings, and
 * would compile Node's own modules again, in every thread.
 */
export function tuneV8(): void {
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
    // The collection discards hidden classes that no live object uses. V8 would then no longer optimize the code with which Node
    // creates a tick: 2 µs instead of 0.2, until the process ends. A pending tick keeps its class alive.
    process.nextTick(() => undefined)
    runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, AFTER_START_MS).unref()
}
