import { randomInt } from 'node:crypto'
import { type Event, type EventQuery, endpoints, STREAM_RESET } from '@bugle/contract'
import type { FastifyRequest } from 'fastify'
import { type Counting, eventIdOf, type LogPlace, readEventId } from '../../domain/events/event-ids.ts'
import type { Events, StreamItem, StreamQuery } from '../../domain/events/events.ts'
import type { Service } from '../../domain/readiness.ts'
import { prefersMedia } from '../answers/negotiate.ts'
import type { PageLinks } from '../answers/page-links.ts'
import { answer, type Bind } from '../route.ts'

const RECONNECT_MS = 3_000
/** When the server stops, its clients reconnect within this time, not all at once. */
const RECONNECT_ELSEWHERE_MS = { min: 1_000, max: 5_000 } as const
/** A client that reads nothing for this long is disconnected; it can resume. */
const STALLED_READER_MS = 60_000
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Otherwise nginx would buffer events.
  'x-accel-buffering': 'no',
}
const FEED_HEADERS = { vary: 'Authorization, Cookie, Accept', 'cache-control': 'private, no-cache' }

interface EventRouteDependencies {
  readonly events: Events
  readonly links: PageLinks
  readonly closing: AbortSignal
  readonly service: Service
}

/** Streams end when the server stops, which `closing` signals, and when it may no longer use the database. */
export function bindEvents(bind: Bind, { events, links, closing, service }: EventRouteDependencies): void {
  bind(endpoints.listEvents, async ({ caller, query, request, watchClient }) => {
    if (!prefersMedia(request.headers.accept, 'text/event-stream', 'application/json')) {
      const feed = await events.read(caller, query)
      return answer(200, feed, { ...FEED_HEADERS, link: links.events(feed, request) })
    }
    const ending = AbortSignal.any([closing, service.interruption])
    const items = await events.follow(
      caller,
      resuming(query, request),
      AbortSignal.any([ending, watchClient()]),
    )
    return answer(
      200,
      writeStream(items, ending, () => request.raw.socket.destroy()),
      STREAM_HEADERS,
    )
  })
}

/** Browsers send their position automatically. An unknown id counts as a position outside of the log. */
function resuming(query: EventQuery, { headers }: FastifyRequest): StreamQuery {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return query
  return { ...query, from: readEventId(String(id)) ?? NOWHERE }
}

const NOWHERE: LogPlace = { position: Number.MAX_SAFE_INTEGER, counting: null }

/** Writes items as fast as they are read, so that nothing accumulates for a slow client; one that reads nothing is disconnected. */
async function* writeStream(
  items: AsyncIterable<StreamItem>,
  ending: AbortSignal,
  cutOff: () => void,
): AsyncGenerator<string> {
  yield `retry: ${RECONNECT_MS}\n\n`
  for await (const item of items) {
    const stalled = setTimeout(cutOff, STALLED_READER_MS)
    try {
      yield toText(item)
    } finally {
      clearTimeout(stalled)
    }
  }
  if (ending.aborted) yield `retry: ${randomInt(RECONNECT_ELSEWHERE_MS.min, RECONNECT_ELSEWHERE_MS.max)}\n\n`
}

function toText(item: StreamItem): string {
  if (item.kind === 'heartbeat') return ': still here\n\n'
  if (item.kind === 'reset') {
    return `id: ${eventIdOf(item.position, item.counting)}\nevent: ${STREAM_RESET}\ndata: ${JSON.stringify({ position: item.position })}\n\n`
  }
  return item.events.map((event) => eventText(event, item.counting)).join('')
}

function eventText(event: Event, counting: Counting): string {
  return `id: ${eventIdOf(event.position, counting)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
