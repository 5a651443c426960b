import type { Event } from '@bugle/contract'
import { openStream, type StreamListener, type StreamState } from './stream.ts'

type Message =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'reset' }
  | { readonly kind: 'state'; readonly state: StreamState }
  | { readonly kind: 'hello' }

/**
 * Follows a project's log with one connection for all tabs: with HTTP/1.1 a browser has only six connections per server.
 * The tab that holds the lock is connected and forwards events to the others; when it closes, the next one continues.
 */
export function shareStream(projectId: string, listener: StreamListener): () => void {
  // Without https the browser has no locks, so each tab connects on its own.
  if (!('locks' in navigator))
    return openStream({ projectId, after: undefined, isTakeover: false, ...listener })

  const name = `bugle-stream-${projectId}`
  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  let position: number | undefined
  let state: StreamState = 'connecting'
  let isLeader = false

  function hear(message: Message): void {
    if (message.kind === 'event') {
      if (position !== undefined && message.event.position <= position) return
      position = message.event.position
      listener.onEvent(message.event)
    } else if (message.kind === 'reset') {
      position = undefined
      listener.onReset()
    } else if (message.kind === 'state') {
      state = message.state
      listener.onState(state)
    } else if (isLeader) {
      channel.postMessage({ kind: 'state', state } satisfies Message)
    }
  }

  function tell(message: Message): void {
    hear(message)
    channel.postMessage(message)
  }

  function lead(): Promise<void> {
    isLeader = true
    const close = openStream({
      projectId,
      after: position,
      isTakeover: state !== 'connecting',
      onEvent: (event) => tell({ kind: 'event', event }),
      onReset: () => tell({ kind: 'reset' }),
      onState: (next) => tell({ kind: 'state', state: next }),
      onRefused: listener.onRefused,
    })
    return new Promise((resolve) => {
      leaving.signal.addEventListener('abort', () => {
        close()
        resolve()
      })
    })
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data)
  channel.postMessage({ kind: 'hello' } satisfies Message)
  navigator.locks.request(name, { signal: leaving.signal }, lead).catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  return () => {
    leaving.abort()
    channel.close()
  }
}
