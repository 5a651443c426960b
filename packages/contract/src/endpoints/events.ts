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
      "A project's log, in order and without gaps in what you may see. Ask again with `nextAfter`, or follow `next` in the `Link` header; or with `Accept: text/event-stream` stay connected and get each event as it happens (server-sent events, resumed by `Last-Event-ID`). Events are kept for 30 days; whoever comes later is told so by `reset`, or `stream.reset`, which a stream also sends when your rights change.",
    access: { scope: 'events:read', publicKey: false, publicProject: false },
    query: EventQuery,
    headers: {
      Accept: '`text/event-stream` for the live stream; weights (`q=`) count.',
      'Last-Event-ID': 'The `id` of the event to resume a stream after; browsers send it by themselves.',
    },
    answers: {
      200: {
        description: 'Some events, or the stream.',
        schema: EventFeed,
        stream: 'text/event-stream',
        headers: {
          Link: 'Of the feed: `first`, the oldest events that are kept, and `next` while there is more right now (RFC 8288).',
        },
      },
    },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter'],
  }),
}
