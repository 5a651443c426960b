import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type RefObject, useEffect, useState } from 'react'
import { useMay } from '../../api/session.ts'
import { useLiveState } from '../../live/live.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useTitle } from '../../ui/page.tsx'
import { formatCount } from '../../ui/words.ts'
import { commonMoves } from './common-moves.ts'
import { EmptyList } from './empty-list.tsx'
import type { Filters } from './filters.ts'
import classes from './issue-board.module.css'
import type { ListState } from './issue-list.ts'
import { IssueRows } from './issue-rows.tsx'
import type { IssueWalk } from './issue-walks.ts'
import { forgetPlace, recallPlace } from './list-places.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { NewsPill } from './news-pill.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useBoardCommands } from './use-board-commands.ts'
import { useKeptPlace } from './use-kept-place.ts'
import { useMoves } from './use-moves.ts'
import { useNews } from './use-news.ts'
import { useRowUpdates } from './use-row-updates.ts'
import { useSelection } from './use-selection.ts'

const ROW_HEIGHT = 40
const NARROW_ROW_HEIGHT = 64

interface IssueBoardProps {
  readonly opened: { readonly walk: IssueWalk; readonly state: ListState; readonly refresh: () => void }
  readonly filters: Filters
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly onSearch: () => void
  readonly onFilter: () => void
  readonly onSave: () => void
  readonly onClear: () => void
}

/** The rows, and everything that can be done with them. */
export function IssueBoard({ opened, filters, gridRef, ...actions }: IssueBoardProps) {
  const { walk, state, refresh } = opened
  const { list } = walk
  const mayMove = useMay('issues:triage')
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [place] = useState(() => recallPlace(walk.name))
  const [cursor, setCursor] = useState(place?.cursor ?? 0)
  const selection = useSelection(list)
  const news = useNews(walk)
  const count = (state.total ?? 0) + news
  useTitle(count === 0 ? 'Inbox' : `(${formatCount(count)}) Inbox`)
  const move = useMoves(list)
  useRowUpdates(list)
  useRetryWhenLive(list.retry, state.error)
  useKeptPlace(walk.name, cursor, gridRef)

  function showNews(): void {
    forgetPlace(walk.name)
    refresh()
  }

  function toggle(index: number, isRange: boolean): void {
    if (isRange) selection.extend(cursor, index)
    else selection.toggle(index)
    setCursor(index)
  }

  const moves = mayMove ? commonMoves(selection.issues()) : []
  useBoardCommands({
    list,
    count: state.count,
    cursor,
    setCursor,
    selection,
    mayMove,
    move,
    showNews,
    focusRows: () => gridRef.current?.focus(),
    ...actions,
  })

  if (!state.isRead && state.error !== undefined) return <Failure error={state.error} onRetry={list.retry} />
  return (
    <div className={classes['board']}>
      <NewsPill count={news} onShow={showNews} />
      {!state.isRead && <ListSkeleton rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT} />}
      {state.isRead && state.count === 0 && <EmptyList filters={filters} onClear={actions.onClear} />}
      {state.count > 0 && (
        <IssueRows
          list={list}
          state={state}
          selection={selection}
          isSelectable={mayMove}
          cursor={cursor}
          rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
          gridRef={gridRef}
          initialOffset={place?.offset ?? 0}
          takesFocus={walk.isAgain || place !== undefined}
          isDone={({ status }) => filters.status.length > 0 && !filters.status.includes(status)}
          onToggle={toggle}
          onCursor={setCursor}
        />
      )}
      {state.isRead && state.error !== undefined && (
        <div className={classes['failure']} role="alert">
          The next issues could not be loaded.
          <Button size="compact-sm" variant="default" onClick={list.retry}>
            Try again
          </Button>
        </div>
      )}
      <SelectionBar
        count={selection.ids.size}
        moves={moves}
        onMove={(to) => {
          void move(selection.issues(), to)
          selection.clear()
          gridRef.current?.focus()
        }}
        onClear={() => {
          selection.clear()
          gridRef.current?.focus()
        }}
      />
    </div>
  )
}

/** What could not be had while the server was away is asked for again when it is back. */
function useRetryWhenLive(retry: () => void, error: unknown): void {
  const isLive = useLiveState() === 'live'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the connection is back
  useEffect(() => {
    if (isLive && error !== undefined) retry()
  }, [isLive])
}
