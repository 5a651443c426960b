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
export function createReadiness({ probe }: Pick<Storage, 'probe'>, service: Service): CheckReadiness {
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
    requireService(service)
    const isOld = performance.now() - beganAt >= PROBE_INTERVAL_MS
    if (latest === undefined || (isOld && !isUnderWay)) latest = begin()
    return latest
  }
}

/** Whether this server may use the database. Another release or a restore may have replaced the schema. */
export interface Service {
  /** Why it may not, a sentence for clients and operators; `null` while it may. */
  readonly refusal: string | null
  /** Aborts when it may no longer. Once it may again, there is another one. */
  readonly interruption: AbortSignal
}

export interface SwitchableService extends Service {
  suspend(why: string): void
  resume(): void
}

export function createService(): SwitchableService {
  let refusal: string | null = null
  let interruption = new AbortController()
  return {
    get refusal() {
      return refusal
    },
    get interruption() {
      return interruption.signal
    },
    suspend(why) {
      refusal = why
      interruption.abort()
    },
    resume() {
      refusal = null
      interruption = new AbortController()
    },
  }
}

/** Fails while this server may not use the database. */
export function requireService({ refusal }: Service): void {
  if (refusal !== null) throw new DomainError('unavailable', { detail: refusal })
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
