import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLive, useLiveState } from '../../live/live.tsx'
import { announce } from '../../ui/announce.tsx'
import { countOf } from '../../ui/words.ts'
import type { IssueWalk } from './issue-walks.ts'
import { letPass } from './let-pass.ts'

/** News are looked for at most this often, however fast they come. */
const LOOK_MS = 300
/** And spoken of less often still: nobody can listen to a flood. */
const SAY_MS = 10_000

/** How many issues have come since the list was read. They are counted, never pushed in between the rows. */
export function useNews(walk: IssueWalk): number {
  const [news, setNews] = useState({ walk, count: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isLive = useLiveState() === 'live'

  const look = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const { length: count } = await walk.readNews(signal)
      if (signal.aborted) return
      setNews({ walk, count })
      if (count > 0) sayNow(count)
    } catch (error) {
      letPass(error)
    }
  })
  const saidAt = useRef(Number.NEGATIVE_INFINITY)
  const sayNow = useEffectEvent((count: number) => {
    const now = performance.now()
    if (now - saidAt.current < SAY_MS) return
    saidAt.current = now
    announce(`${countOf(count, 'new issue')}. Press the full stop key to show them.`)
  })
  const lookSoon = useEffectEvent(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void look(leaving.current.signal)
    }, LOOK_MS)
  })
  const leaving = useRef(new AbortController())

  useEffect(() => {
    leaving.current = new AbortController()
    return () => {
      leaving.current.abort()
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that was kept, or a stream that is back, may have missed some
  useEffect(() => {
    if (isLive) lookSoon()
  }, [isLive, walk])
  useLive({
    onEvent: ({ type }) => type === 'issue.created' && lookSoon(),
    onReset: () => lookSoon(),
  })
  return news.walk === walk ? news.count : 0
}
