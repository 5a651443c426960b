import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useLive, useLiveState } from '../../../live/live.tsx'
import { announce } from '../../../ui/feedback/announce.tsx'
import { countOf } from '../../../ui/words.ts'
import { changeRevision } from '../changes/change-issues.ts'
import { ignoreServerFailure } from '../changes/ignore-server-failure.ts'
import type { ListSession } from './list-session.ts'

/** Changes are collected for this long, so that an issue with many reports is read once and not a hundred times. */
const COLLECT_MS = 300
/** Up to this many changed rows are read individually; for more, the whole list is updated. */
const MAX_ROWS = 60
/** New issues are announced to screen readers at most this often. */
const SAY_MS = 10_000
/** For this long after the pointer has moved over the rows, a click on one of them is likely. */
const AIM_MS = 1_000

interface LiveList {
  readonly session: ListSession
  readonly gridRef: RefObject<HTMLElement | null>
  readonly hasSelection: boolean
  /** Shows new issues, if `isWanted` still returns true once they are read. */
  readonly showNews: (isWanted: () => boolean) => Promise<boolean>
}

/**
 * Keeps a list up to date while issues change and arrive. Rows are updated in place. New rows appear automatically
 * where they do not disturb the user: in an empty list, or at its beginning while nothing is selected or focused.
 * Otherwise, they are counted.
 */
export function useLiveList({ session, gridRef, hasSelection, showNews }: LiveList): void {
  const isLive = useLiveState() === 'live'
  const leaving = useRef(new AbortController())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const changes = useRef(new Map<string, 'changed' | 'deleted'>())
  const isNewExpected = useRef(false)
  const isAtWork = useRef(false)
  const movedAt = usePointerMoves(gridRef)
  const sayNews = useSayNews()

  const isAiming = () => performance.now() - movedAt.current < AIM_MS
  const mayShow = useEffectEvent(() => {
    const grid = gridRef.current
    if (session.state().count === 0 || grid === null) return true
    const isFocused = grid.contains(document.activeElement)
    return grid.scrollTop <= 1 && !hasSelection && !isFocused && !isAiming() && changeRevision() !== undefined
  })

  const work = useEffectEvent(async () => {
    const { signal } = leaving.current
    const rows = new Map([...changes.current].slice(0, MAX_ROWS))
    changes.current.clear()
    const isExpected = isNewExpected.current
    isNewExpected.current = false
    const isShown = isExpected && mayShow() && (await showNews(() => mayShow()))
    const isDone = isShown || (await session.update(rows, signal))
    if (signal.aborted) return
    if (!isDone) {
      // Rows that this page was changing were skipped.
      for (const [id, change] of rows) if (!changes.current.has(id)) changes.current.set(id, change)
      workSoon()
    }
    const { news } = session.state()
    if (news === 0) return
    if (mayShow()) {
      await showNews(() => mayShow())
    } else {
      sayNews(news)
      if (isAiming()) workSoon(AIM_MS)
    }
  })

  const workSoon = useEffectEvent((afterMs = COLLECT_MS) => {
    timer.current ??= setTimeout(async () => {
      timer.current = undefined
      // One update at a time: changes that arrive in the meantime are handled by the next one.
      if (isAtWork.current || !session.state().isRead) return workSoon()
      isAtWork.current = true
      try {
        await work()
      } catch (error) {
        ignoreServerFailure(error)
      } finally {
        isAtWork.current = false
      }
    }, afterMs)
  })

  const updateAll = useEffectEvent(async () => {
    isNewExpected.current = true
    try {
      for (const id of await session.list.update()) changes.current.set(id, 'changed')
    } catch (error) {
      ignoreServerFailure(error)
    }
    if (!leaving.current.signal.aborted) workSoon()
  })

  useEffect(() => {
    leaving.current = new AbortController()
    return () => {
      leaving.current.abort()
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [])
  // A list that was kept may have missed changes, and so may a stream that has reconnected.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each list, and each time the connection is back
  useEffect(() => {
    if (isLive) void updateAll()
  }, [isLive, session])
  useLive({
    onEvent({ type, issueId, changes: [first] }) {
      const mark = (id: unknown, change: 'changed' | 'deleted') => {
        if (session.list.indexOf(id as string) >= 0) changes.current.set(id as string, change)
      }
      if (type === 'issue.created') isNewExpected.current = true
      else mark(issueId, GONE.test(type) ? 'deleted' : 'changed')
      // The counts of an issue include those of its duplicates.
      if (first?.member === 'duplicateOf') for (const id of [first.from, first.to]) mark(id, 'changed')
      workSoon()
    },
    onReset: () => void updateAll(),
  })
}

/** The events after which an issue is no longer in a list that contains it, be it one of spam. */
const GONE = /^issue.*(?:deleted|spam)$/

/** When the pointer last moved over the rows. */
function usePointerMoves(gridRef: RefObject<HTMLElement | null>): RefObject<number> {
  const movedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const onMove = ({ target }: PointerEvent) => {
      if (target instanceof Node && gridRef.current?.contains(target)) movedAt.current = performance.now()
    }
    window.addEventListener('pointermove', onMove)
    return () => window.removeEventListener('pointermove', onMove)
  }, [gridRef])
  return movedAt
}

function useSayNews(): (count: number) => void {
  const saidAt = useRef(Number.NEGATIVE_INFINITY)
  return (count) => {
    const now = performance.now()
    if (now - saidAt.current < SAY_MS) return
    saidAt.current = now
    announce(`${countOf(count, 'new issue')}. Press the period key to show them.`)
  }
}
