import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Claim } from '../model/webhooks.ts'
import type { Storage } from '../storage/storage.ts'
import type { SendClaim } from './send-claim.ts'

/** Attempts under way at once, to one webhook and in all. */
const PER_WEBHOOK = 8
const IN_ALL = 64
/** Twice as long as an attempt may take. */
const LEASE_MS = 30_000
/** Events come in bursts; the burst is waited for, not each event. */
const DEBOUNCE_MS = 20
/** Finds what is due by time, and what other processes have written. */
const POLL_MS = 1_000
/** Webhooks that take a step in the log at once: a step writes up to 200 rows, and they share a transaction. */
const FAN_OUT_WEBHOOKS = 8
/** How long a shutdown waits for attempts under way; they are made again after the next start. */
const STOP_PATIENCE_MS = 4_000

interface DelivererDependencies {
  readonly storage: Pick<Storage, 'deliveries' | 'events'>
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly send: SendClaim
  /** Told of faults of our own: what they left undone is done later. */
  readonly onFault: (error: unknown) => void
  /** Told what came of an attempt, and how long after the event. */
  readonly onAttempt?: (isTaken: boolean, lagSeconds: number) => void
}

export interface Deliverer {
  /** Does what is due by now, and settles when all of it is done. */
  work(): Promise<void>
  /** Waits for attempts under way, but not for long. */
  stop(): Promise<void>
}

/** Turns events into deliveries and makes them, on and on until it is stopped. */
export function startDeliverer(parts: DelivererDependencies): Deliverer {
  const { storage, clock, random, send, onFault, onAttempt } = parts
  const { deliveries } = storage
  const underWay = new Set<Promise<void>>()
  const leaving = new AbortController()
  let round: Promise<void> | undefined
  let isWanted = false
  let isStopping = false
  let debounce: NodeJS.Timeout | undefined

  /** One round at a time; whoever asks meanwhile gets another one after it. */
  function wake(): Promise<void> {
    isWanted = true
    round ??= runRounds().finally(() => {
      round = undefined
    })
    return round
  }

  async function runRounds(): Promise<void> {
    while (isWanted && !isStopping) {
      isWanted = false
      try {
        await fanOut()
        await claim()
      } catch (error) {
        onFault(error)
      }
    }
  }

  async function fanOut(): Promise<void> {
    const behind = await deliveries.listBehind(FAN_OUT_WEBHOOKS)
    const steps = await Promise.all(
      behind.map(({ projectId, id }) => deliveries.fanOut(projectId, id, clock())),
    )
    // There may be more of the log, or more webhooks; but what can be sent is sent first.
    if (steps.includes(true)) isWanted = true
  }

  async function claim(): Promise<void> {
    const now = clock()
    const limit = IN_ALL - underWay.size
    if (limit === 0 || !(await deliveries.isAnyDue(now))) return
    const claims = await deliveries.claimDue({ now, leaseMs: LEASE_MS, perWebhook: PER_WEBHOOK, limit })
    for (const claimed of claims) begin(claimed)
  }

  function begin(claimed: Claim): void {
    const attempt = deliver(claimed)
      .catch(onFault)
      .finally(() => {
        underWay.delete(attempt)
        void wake()
      })
    underWay.add(attempt)
  }

  async function deliver(claimed: Claim): Promise<void> {
    const { webhook, event } = claimed
    const sentAt = clock()
    const result = await send(claimed, leaving.signal)
    // Cut off by us: the lease runs out, and the attempt is made again.
    if (leaving.signal.aborted) return
    const place = { projectId: webhook.projectId, webhookId: webhook.id, position: event.position }
    const now = clock()
    onAttempt?.(result.error === null, Math.max(0, now - event.createdAt) / 1_000)
    await deliveries.recordAttempt({ ...place, sentAt, now, result, random: random() })
  }

  const unsubscribe = storage.events.subscribe(() => {
    debounce ??= setTimeout(() => {
      debounce = undefined
      void wake()
    }, DEBOUNCE_MS)
  })
  const poll = setInterval(wake, POLL_MS)

  return {
    async work() {
      do {
        await wake()
        await Promise.all(underWay)
      } while (underWay.size > 0 || round !== undefined)
    },
    async stop() {
      isStopping = true
      unsubscribe()
      clearInterval(poll)
      clearTimeout(debounce)
      const patience = sleep(STOP_PATIENCE_MS, undefined, { ref: false })
      await Promise.race([Promise.all([round, ...underWay]), patience])
      leaving.abort()
      await Promise.all([round, ...underWay])
    },
  }
}
