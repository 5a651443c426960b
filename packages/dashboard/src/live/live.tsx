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

/** Figures are read again at most this often while events come in. */
const REFRESH_MS = 1_000

type Subscriber = Pick<StreamListener, 'onEvent' | 'onReset'>

interface Live {
  readonly state: StreamState
  readonly subscribers: Set<Subscriber>
}

const LiveContext = createContext<Live>({ state: 'connecting', subscribers: new Set() })

interface LiveProjectProps {
  /** Without one there is nothing to follow. */
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
      onState: setState,
      // An EventSource does not say why. If the person is signed out, this call finds it out.
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

/** Hears every event of the project, in order and once, as long as the component is on the page. */
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

/** Whether the page hears of changes as they happen. */
export function useLiveState(): StreamState {
  return useContext(LiveContext).state
}

/** Whatever else is wrong, the stream will be asked for again. */
function ignore(): void {}
