import { endpoints } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react'
import { client } from '../api/client.ts'
import { shareStream } from './share-stream.ts'
import type { StreamListener, StreamState } from './stream.ts'

/** Statistics are read again at most this often while events arrive. */
const REFRESH_MS = 1_000

type Subscriber = Pick<StreamListener, 'onEvent' | 'onReset'>

interface Live {
  readonly state: StreamState
  readonly subscribers: Set<Subscriber>
}

const LiveContext = createContext<Live>({ state: 'connecting', subscribers: new Set() })

interface LiveProjectProps {
  /** Without a project there is nothing to follow. */
  readonly projectId: string | undefined
  readonly children: ReactNode
}

/** Follows a project for everything below it. */
export function LiveProject({ projectId, children }: LiveProjectProps) {
  const [state, setState] = useState<StreamState>('connecting')
  const [subscribers] = useState(() => new Set<Subscriber>())
  const queries = useQueryClient()

  useEffect(() => {
    if (projectId === undefined) return
    let refresh: ReturnType<typeof setTimeout> | undefined
    const refreshSoon = () => {
      refresh ??= setTimeout(() => {
        refresh = undefined
        void queries.invalidateQueries({ queryKey: ['stats'] })
      }, REFRESH_MS)
    }
    const leave = shareStream(projectId, {
      onState(next) {
        setState(next)
        // What happened between the first read of a page and the start of the stream is in neither.
        if (next === 'live') refreshSoon()
      },
      // An EventSource does not report why it failed. This call detects whether the person has been signed out.
      onRefused: () =>
        void client.call(endpoints.listEvents, { query: { projectId, limit: 1 } }).catch(ignore),
      onEvent(event) {
        for (const subscriber of subscribers) subscriber.onEvent(event)
        refreshSoon()
      },
      onReset() {
        for (const subscriber of subscribers) subscriber.onReset()
        refreshSoon()
      },
    })
    return () => {
      clearTimeout(refresh)
      leave()
    }
  }, [projectId, queries, subscribers])

  const live = useMemo(() => ({ state, subscribers }), [state, subscribers])
  return <LiveContext value={live}>{children}</LiveContext>
}

/** Receives every event of the project, in order and once, while the component is mounted. */
export function useLive({ onEvent, onReset }: Subscriber): void {
  const { subscribers } = useContext(LiveContext)
  const hearEvent = useEffectEvent(onEvent)
  const hearReset = useEffectEvent(onReset)
  useEffect(() => {
    const subscriber: Subscriber = {
      onEvent: (event) => hearEvent(event),
      onReset: () => hearReset(),
    }
    subscribers.add(subscriber)
    return () => {
      subscribers.delete(subscriber)
    }
  }, [subscribers])
}

/** Whether the page receives live updates. */
export function useLiveState(): StreamState {
  return useContext(LiveContext).state
}

/** For any other error, the stream is requested again. */
function ignore(): void {}
