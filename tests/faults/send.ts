import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Client, isCut, openClient } from '../support/load.ts'
import type { Ledger } from './ledger.ts'

const SENDERS = 32
/** How long a client waits after a request to retry later. */
const PAUSE_MS = 20
/** Longer than any fault lasts, and shorter than a test may take: a report that is never taken is not a slow test. */
const PATIENCE_MS = 10 * 60_000

export interface Sending extends AsyncDisposable {
  /** Settles when this many were acknowledged since the start. */
  reaches(count: number): Promise<void>
  /** Settles when all senders have stopped. */
  stop(): Promise<void>
}

interface SendOptions {
  readonly url: string
  readonly key: string
  readonly ledger: Ledger
}

/** Sends reports concurrently until it is stopped or the server is unreachable. */
export function startSending({ url, key, ledger }: SendOptions): Sending {
  const client = openClient(url, key)
  const ends = new AbortController()
  let acknowledged = 0
  const senders = Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (!ends.signal.aborted) {
        const outcome = await sendNext(client, ledger)
        if (outcome === 'acknowledged') acknowledged++
        else if (outcome === 'cut') ends.abort()
        else await sleep(PAUSE_MS)
      }
    }),
  )
  // Reported to the caller that waits for them.
  senders.catch(() => ends.abort())
  return {
    async reaches(count) {
      const deadline = Date.now() + PATIENCE_MS
      while (acknowledged < count && !ends.signal.aborted) {
        if (Date.now() > deadline) throw new Error(`${acknowledged} of ${count} reports were acknowledged`)
        await sleep(5)
      }
      if (acknowledged < count) await senders
    },
    async stop() {
      ends.abort()
      await senders
    },
    async [Symbol.asyncDispose]() {
      ends.abort()
      await client[Symbol.asyncDispose]()
    },
  }
}

/** Resends all unacknowledged reports until they are acknowledged. */
export async function settleAll({ url, key, ledger }: SendOptions): Promise<void> {
  await using client = openClient(url, key)
  const deadline = Date.now() + PATIENCE_MS
  while (ledger.countOpen() > 0) {
    if (Date.now() > deadline) throw new Error(`${ledger.countOpen()} reports were never acknowledged`)
    await Promise.all(
      Array.from({ length: Math.min(SENDERS, ledger.countOpen()) }, () => sendNext(client, ledger)),
    )
  }
}

async function sendNext(client: Client, ledger: Ledger): Promise<'acknowledged' | 'turned-away' | 'cut'> {
  const report = ledger.next()
  try {
    const { status, body, headers } = await client.submit(report)
    if (status === 201 || status === 200) {
      ledger.acknowledge(report, { id: body.id, issueNumber: body.issueNumber })
      return 'acknowledged'
    }
    ledger.leaveOpen(report)
    expect({ status, code: body.code, retryAfter: headers['retry-after'] }).toEqual({
      status: 503,
      code: 'unavailable',
      retryAfter: expect.stringMatching(/^\d+$/),
    })
    return 'turned-away'
  } catch (error) {
    if (!isCut(error) && !isLate(error)) throw error
    ledger.leaveOpen(report)
    return isCut(error) ? 'cut' : 'turned-away'
  }
}

/** The client timed out and does not know whether the report was stored. */
function isLate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_HEADERS_TIMEOUT'
}
