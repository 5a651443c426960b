import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Claim } from '../model/webhooks.ts'
import type { Storage } from '../storage/storage.ts'
import type { SendClaim } from './send-claim.ts'

/** Concurrent attempts, to one webhook and in total. */
const PER_WEBHOOK = 8
const IN_ALL = 64
/** Twice as long as an attempt may take. */
const LEASE_MS = 30_000
/** Events arrive in bursts, so they are collected for this long. */
const DEBOUNCE_MS = 20
/** How often due deliveries, and events written by other processes, are looked up. */
const POLL_MS = 1_000
/** Webhooks that take a step in the log in one transaction: a step writes up to 200 rows. */
const FAN_OUT_WEBHOOKS = 8
/** How long a shutdown waits for attempts in progress; they are repeated after the next start. */
const STOP_PATIENCE_MS = 4_000

interface DelivererDependencies {
  readonly storage: Pick<Storage, 'deliveries' | 'events'>
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly send: SendClaim
  /** Called with internal errors; the work is retried later. */
  readonly onFault: (error: unknown) => void
  /** Called with the result of an attempt, and the time since the event. */
  readonly onAttempt?: (isTaken: boolean, lagSeconds: number) => void
}

export interface Deliverer {
  /** Does everything that is due, and resolves when it is done. */
  work(): Promise<void>
  /** Waits briefly for attempts in progress. */
  stop(): Promise<void>
}

/** Turns events into deliveries and sends them until it is stopped. */
export function startDeliverer(parts: DelivererDependencies): Deliverer {
  const { storage, clock, random, send, onFault, onAttempt } = parts
  const { deliveries } = storage
  const underWay = new Set<Promise<void>>()
  const leaving = new AbortController()
  let round: Promise<void> | undefined
  let isWanted = false
  let isStopping = false
  let debounce: NodeJS.Timeout | undefined

  /** One round at a time; a request during a round causes another one after it. */
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
    // There may be more events or webhooks to process, but what can be sent is sent first.
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
    // Aborted by us: the lease expires, and the attempt is repeated.
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
