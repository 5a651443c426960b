import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/** As `nice` counts: a thread that competes with others for a processor then gets a tenth of it. */
export const NICENESS = 10

/** Where all processors are busy, lets other threads go before the one that calls. Only Linux knows priorities of threads. */
export function makeWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS)
  } catch {
    // Without `/proc`, or where the system does not let it: then as an equal of the others.
  }
}
