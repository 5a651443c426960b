import { EVENT_TYPES, type Event, STREAM_RESET } from '@bugle/contract'

/** The delay before a refused stream is retried; doubled each time. */
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

export type StreamState = 'connecting' | 'live' | 'offline'

export interface StreamListener {
  /** An event, in order and once. */
  onEvent(event: Event): void
  /** Events may have been missed: all data of the project has to be read again. */
  onReset(): void
  onState(state: StreamState): void
  /** The server has refused the stream. It is retried later. */
  onRefused(): void
}

interface StreamOptions extends StreamListener {
  readonly projectId: string
  /** Continue after this event; without it, the stream starts with the next new event. */
  readonly after: number | undefined
  /** Whether another tab followed the log until now: without a position to continue from, events may have been missed. */
  readonly isTakeover: boolean
}

/** Follows a project's log until it is closed. Reconnects automatically and resumes where it stopped. */
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
      // Without a position to resume from, events in between are lost.
      if (wasOpen && position === undefined) onReset()
      wasOpen = true
      onState('live')
    }
    opened.onerror = () => {
      onState('offline')
      // The browser reconnects by itself, unless the request was refused.
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
    // After an interruption, an event that was in flight may arrive again.
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
