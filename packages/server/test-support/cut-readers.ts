import type { Event } from '@bugle/contract'
import { EventSource } from 'eventsource'
import { describe, expect, it } from 'vitest'
import type { setIssueStage } from './issue-stage.ts'

interface Size {
  readonly events: number
  readonly cuts: number
}

/** Shorter than the tests may take: an event that never comes is not a slow test. */
const PATIENCE_MS = 300_000

/** Readers of the event log whose connections break repeatedly while events are written. */
export function describeCutReaders(
  stage: ReturnType<typeof setIssueStage>,
  { events, cuts: wanted }: Size,
): void {
  describe(`a reader that is disconnected ${wanted} times while ${events} events are written`, () => {
    const all = Array.from({ length: events }, (_, index) => index + 1)

    async function write(key: string): Promise<void> {
      for (let written = 0; written < events; written += 50) {
        await Promise.all(Array.from({ length: 50 }, () => stage.report({}, key)))
      }
    }

    it('sees each once, in order, by resuming the feed', { timeout: 400_000 }, async () => {
      const own = await stage.api.addProject()
      const writing = write(own.publicKey)
      const seen: number[] = []
      let cuts = 0
      let requests = 0
      let after = 0
      const deadline = Date.now() + PATIENCE_MS
      while (seen.length < events || cuts < wanted) {
        if (Date.now() > deadline) throw new Error(`the feed showed ${seen.length} of ${events} events`)
        const cut = new AbortController()
        // Every other connection, immediately or a moment later, so that there is progress even on a slow machine.
        if (cuts < wanted && requests++ % 2 === 0) setTimeout(() => cut.abort(), Math.random() * 4)
        try {
          const response = await fetch(`${stage.api.url}/v1/events?after=${after}&limit=173`, {
            headers: { authorization: `Bearer ${own.secretKey}` },
            signal: cut.signal,
          })
          const part = (await response.json()) as { data: Event[]; nextAfter: number }
          seen.push(...part.data.map(({ position }) => position))
          after = part.nextAfter
        } catch (error) {
          if (!cut.signal.aborted) throw error
          cuts++
        }
      }
      await writing
      expect(seen).toEqual(all)
    })

    it('sees each once, in order, by resuming the stream', { timeout: 400_000 }, async () => {
      const own = await stage.api.addProject()
      const writing = write(own.publicKey)
      const seen: number[] = []
      let cuts = 0
      const source = new EventSource(`${stage.api.url}/v1/events?after=0`, {
        // A connection that breaks repeatedly, at any point.
        fetch: async (url, init) => {
          const cut = new AbortController()
          const headers = { ...init?.headers, authorization: `Bearer ${own.secretKey}` }
          const signals = [cut.signal, ...(init?.signal ? [init.signal] : [])]
          const response = await fetch(url, { ...init, headers, signal: AbortSignal.any(signals) })
          // Only now: a reader that has never received a response waits three seconds before each new connection.
          if (cuts < wanted) {
            // Any other reason would look as if the reader had stopped itself.
            setTimeout(() => cut.abort(new TypeError('connection lost')), 10 + Math.random() * 60)
            cuts++
          }
          return withoutDelay(response)
        },
      })
      source.addEventListener('issue.created', (message) => seen.push(JSON.parse(message.data).position))
      await writing
      await expect.poll(() => seen.length, { timeout: PATIENCE_MS }).toBeGreaterThanOrEqual(events)
      source.close()
      expect(seen).toEqual(all)
    })
  })
}

/** The server requests a delay of three seconds before each new connection: a hundred of them would take five minutes. */
function withoutDelay(response: Response): Response {
  const hurry = new TransformStream<string, string>({
    transform: (chunk, stream) => stream.enqueue(chunk.replace('retry: 3000', 'retry: 1')),
  })
  const body = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(hurry)
    .pipeThrough(new TextEncoderStream())
  const { status, headers } = response
  const hurried = new Response(body ?? null, { status, headers })
  Object.defineProperty(hurried, 'url', { value: response.url })
  return hurried
}
