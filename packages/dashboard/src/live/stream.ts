import { EVENT_TYPES, type Event, STREAM_RESET } from '@bugle/contract'

/** How long until a stream that the server has refused is tried again; doubled each time. */
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

export type StreamState = 'connecting' | 'live' | 'offline'

export interface StreamListener {
  /** An event, in order and once. */
  onEvent(event: Event): void
  /** Something may have been missed: what is known of the project has to be read again. */
  onReset(): void
  onState(state: StreamState): void
  /** The server has answered, and not with a stream. It is asked again later. */
  onRefused(): void
}

interface StreamOptions extends StreamListener {
  readonly projectId: string
  /** Go on after this event; without it the stream begins with the next one to come. */
  readonly after: number | undefined
  /** Whether somebody followed the log until now: without a place to go on from, something may have been missed. */
  readonly isTakeover: boolean
}

/** Follows a project's log until it is closed. It reconnects by itself, and goes on where it was. */
export function openStream(options: StreamOptions): () => void {
  const { projectId, onEvent, onReset, onState, onRefused } = options
  let position = options.after
  let wasOpen = options.isTakeover
  let retryMs = FIRST_RETRY_MS
  let retry: ReturnType<typeof setTimeout> | undefined
  let source = connect()

  function connect(): EventSource {
    const query = new URLSearchParams({ projectId, ...(position !== undefined && { after: `${position}` }) })
    const opened = new EventSource(`/v1/events?${query}`)
    opened.onopen = () => {
      retryMs = FIRST_RETRY_MS
      // Without a place to go on from, whatever happened in between is lost.
      if (wasOpen && position === undefined) onReset()
      wasOpen = true
      onState('live')
    }
    opened.onerror = () => {
      onState('offline')
      // The browser tries again by itself, unless somebody answered and refused.
      if (opened.readyState !== EventSource.CLOSED) return
      onRefused()
      retry = setTimeout(() => {
        source = connect()
      }, retryMs)
      retryMs = Math.min(2 * retryMs, LAST_RETRY_MS)
    }
    for (const type of EVENT_TYPES) opened.addEventListener(type, take)
    opened.addEventListener(STREAM_RESET, ({ data }: MessageEvent<string>) => {
      ;({ position } = JSON.parse(data) as { position: number })
      onReset()
    })
    return opened
  }

  function take({ data }: MessageEvent<string>): void {
    const event = JSON.parse(data) as Event
    // After a cut the same event may come again, if it was on its way.
    if (position !== undefined && event.position <= position) return
    position = event.position
    onEvent(event)
  }

  onState('connecting')
  return () => {
    clearTimeout(retry)
    source.close()
  }
}
