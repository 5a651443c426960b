import { type Storage, StorageUnavailable } from '../storage/storage.ts'
import { DomainError } from './domain-error.ts'

/** How long a result is valid, from the start of the probe. */
const PROBE_INTERVAL_MS = 1_000
/** A database that takes longer to store a few bytes is not ready. */
const PROBE_TIMEOUT_MS = 3_000

/** Fails unless the database could be written a moment ago. */
export type CheckReadiness = () => Promise<void>

/**
 * At most one probe per second serves all callers, because anyone may call and each probe writes to the database. While one is
 * stuck, no other starts.
 */
export function createReadiness({ probe }: Pick<Storage, 'probe'>, retirement: AbortSignal): CheckReadiness {
  let latest: Promise<void> | undefined
  let beganAt = 0
  let isUnderWay = false

  function begin(): Promise<void> {
    beganAt = performance.now()
    isUnderWay = true
    const probing = probe().finally(() => {
      isUnderWay = false
    })
    return withinTime(probing)
  }

  return async () => {
    requireService(retirement)
    const isOld = performance.now() - beganAt >= PROBE_INTERVAL_MS
    if (latest === undefined || (isOld && !isUnderWay)) latest = begin()
    return latest
  }
}

/** Fails once this server may no longer use the database. */
export function requireService(retirement: AbortSignal): void {
  if (retirement.aborted) throw new DomainError('unavailable', { detail: String(retirement.reason) })
}

async function withinTime(probing: Promise<void>): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(
      new StorageUnavailable(`The database took longer than ${PROBE_TIMEOUT_MS} ms to store a few bytes.`),
    )
  }, PROBE_TIMEOUT_MS)
  try {
    await Promise.race([probing, timeout])
  } finally {
    clearTimeout(timer)
  }
}
