import { randomUUID } from 'node:crypto'
import { MAX_SENTRY_EVENT_BYTES } from '@bugle/contract/sentry'

/** The largest event with many frames, tags and contexts. */
export function largestEvent(): string {
  const frame = { function: 'f', filename: 'a.js', lineno: 1, colno: 1, in_app: true }
  const event = {
    event_id: randomUUID(),
    platform: 'javascript',
    tags: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`tag-${n}`, 'ä'.repeat(50)])),
    exception: {
      values: Array.from({ length: 20 }, () => ({
        type: 'Error',
        value: 'x'.repeat(9_000),
        stacktrace: { frames: Array(400).fill(frame) },
      })),
    },
    extra: {},
  }
  const room = MAX_SENTRY_EVENT_BYTES - Buffer.byteLength(JSON.stringify(event)) - 100
  return JSON.stringify({ ...event, extra: { rest: 'x'.repeat(Math.max(0, room)) } })
}

/** Arrays as deep as fits, which are skipped. */
export function deepestEvent(): string {
  const depth = MAX_SENTRY_EVENT_BYTES / 2 - 100
  return `{"extra":${'['.repeat(depth)}${']'.repeat(depth)}}`
}

export function envelopeOf(payload: string): string {
  return `${JSON.stringify({ event_id: randomUUID() })}\n{"type":"event"}\n${payload}\n`
}

export const MANY_ITEMS = `{}\n${'{"type":"session"}\n{}\n'.repeat(40_000)}`
