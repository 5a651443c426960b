import { EventFeed, EventQuery } from '../schemas/events.ts'
import { endpoint } from './endpoint.ts'
import { KEY_ERRORS } from './shared.ts'

export const eventEndpoints = {
  listEvents: endpoint({
    name: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    tag: 'events',
    summary: 'Event feed and live stream',
    description:
      "A project's event log, in order, with every event that you may see. Poll with `nextAfter`, or follow `next` in the `Link` header. With `Accept: text/event-stream`, stay connected and receive each event as it happens (server-sent events, resumed with `Last-Event-ID`). Events are kept for 30 days. If events that you have not read have been deleted, `reset` is `true`, and a stream sends `stream.reset`. A stream also sends it when your permissions change.",
    access: { scope: 'events:read', publicKey: false, publicProject: false },
    query: EventQuery,
    headers: {
      Accept: '`text/event-stream` for the live stream; weights (`q=`) are honoured.',
      'Last-Event-ID': 'The `id` of the event to resume a stream after; browsers send it automatically.',
    },
    answers: {
      200: {
        description: 'Some events, or the stream.',
        schema: EventFeed,
        stream: 'text/event-stream',
        headers: {
          Link: 'For the feed: `first`, the oldest events that are kept, and `next` if there are more events right now (RFC 8288).',
        },
      },
    },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter'],
  }),
}
