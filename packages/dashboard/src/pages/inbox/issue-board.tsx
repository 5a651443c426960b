import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, type RefObject, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useMay } from '../../api/session.ts'
import { useLiveState } from '../../live/live.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { holdKeys } from '../../ui/hold-keys.ts'
import { useTitle } from '../../ui/page.tsx'
import { formatCount } from '../../ui/words.ts'
import type { RowPatch } from './changes/change-issues.ts'
import { commonMoves } from './changes/common-moves.ts'
import { SelectionBar } from './changes/selection-bar.tsx'
import { useChanges } from './changes/use-changes.ts'
import { useSelection } from './changes/use-selection.ts'
import { type Filters, passesFilters } from './filters/filters.ts'
import { shownCount } from './filters/status-counts.ts'
import classes from './issue-board.module.css'
import { EmptyList } from './list/empty-list.tsx'
import { IssueRows } from './list/issue-rows.tsx'
import { forgetPlace, recallPlace } from './list/list-places.ts'
import { ListSkeleton } from './list/list-skeleton.tsx'
import { NewsPill } from './list/news-pill.tsx'
import { useKeptPlace } from './list/use-kept-place.ts'
import type { OpenSession } from './list/use-list-session.ts'
import { useLiveList } from './list/use-live-list.ts'
import { useBoardCommands } from './use-board-commands.ts'

const DeleteSelectedDialog = lazy(() =>
  import('./changes/delete-selected-dialog.tsx').then((module) => ({ default: module.DeleteSelectedDialog })),
)

const ROW_HEIGHT = 40
const NARROW_ROW_HEIGHT = 64

interface IssueBoardProps {
  readonly opened: OpenSession
  readonly filters: Filters
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly onSearch: () => void
  readonly onFilter: () => void
  readonly onSave: () => void
  readonly onClear: () => void
  readonly onEveryStatus: () => void
}

/** The rows, and everything that can be done with them. */
export function IssueBoard({ opened, filters, gridRef, ...actions }: IssueBoardProps) {
  const { session, state, refresh } = opened
  const { list } = session
  const mayMove = useMay('issues:triage')
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [place] = useState(() => recallPlace(session.name))
  const [cursor, setCursor] = useState(place?.cursor ?? 0)
  const latest = useRef(cursor)
  useLayoutEffect(() => {
    latest.current = cursor
  })
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT
  const selection = useSelection(list)
  const { news } = state
  const count = shownCount(state, filters.status) ?? 0
  useTitle(count === 0 ? 'Inbox' : `(${formatCount(count)}) Inbox`)
  const change = useChanges(list)
  const mayDelete = useMay('issues:delete')
  const [isDeleting, setDeleting] = useState(false)
  useLiveList({ session, gridRef, hasSelection: selection.ids.size > 0, showNews: showQuietly })
  useRetryWhenLive(list.retry, state.error)
  useKeptPlace(session.name, cursor, gridRef)

  /** Shows new rows above the others. Keys go on acting on the issue they would have acted on, unless it left the screen. */
  async function showQuietly(isWanted: () => boolean): Promise<boolean> {
    const row = list.row(latest.current)
    if (!(await session.showNews(isWanted))) return false
    const index = typeof row === 'object' ? list.indexOf(row.id) : 0
    const rowsShown = Math.floor((gridRef.current?.clientHeight ?? 0) / rowHeight)
    setCursor(index >= 0 && index < rowsShown ? index : 0)
    return true
  }

  function showNews(): void {
    forgetPlace(session.name)
    refresh()
  }

  function toggle(index: number, isRange: boolean): void {
    if (isRange) selection.extend(cursor, index)
    else selection.toggle(index)
    setCursor(index)
  }

  function clearSelection(): void {
    selection.clear()
    gridRef.current?.focus()
  }

  function changeSelected(patch: RowPatch): void {
    void change(selection.issues(), patch)
    clearSelection()
  }

  function askToDelete(): void {
    holdKeys(() => setDeleting(false))
    setDeleting(true)
  }

  const moves = mayMove ? commonMoves(selection.issues()) : []
  useBoardCommands({
    list,
    count: state.count,
    cursor,
    setCursor,
    selection,
    mayMove,
    change,
    showNews,
    focusRows: () => gridRef.current?.focus(),
    ...actions,
  })

  if (!state.isRead && state.error !== undefined) return <Failure error={state.error} onRetry={list.retry} />
  return (
    <div className={classes['board']}>
      <NewsPill count={news} onShow={showNews} />
      {!state.isRead && <ListSkeleton rowHeight={rowHeight} />}
      {state.isRead && state.count === 0 && (
        <EmptyList
          filters={filters}
          counts={state.counts}
          onClear={actions.onClear}
          onEveryStatus={actions.onEveryStatus}
        />
      )}
      {state.count > 0 && (
        <IssueRows
          list={list}
          state={state}
          selection={selection}
          isSelectable={mayMove}
          cursor={cursor}
          rowHeight={rowHeight}
          gridRef={gridRef}
          initialOffset={place?.offset ?? 0}
          takesFocus={session.isAgain || place !== undefined}
          isDone={(issue) => !passesFilters(issue, filters)}
          onToggle={toggle}
          onCursor={setCursor}
        />
      )}
      {state.isRead && state.error !== undefined && (
        <div className={classes['failure']} role="alert">
          More issues could not be loaded.
          <Button size="compact-sm" variant="default" onClick={list.retry}>
            Try again
          </Button>
        </div>
      )}
      <SelectionBar
        count={selection.ids.size}
        moves={moves}
        onMove={(status) => changeSelected({ status })}
        onPriority={(priority) => changeSelected({ priority })}
        onDelete={mayDelete ? askToDelete : undefined}
        onClear={clearSelection}
      />
      {isDeleting && (
        <Suspense>
          <DeleteSelectedDialog
            issues={selection.issues()}
            list={list}
            onDeleted={() => {
              setDeleting(false)
              clearSelection()
            }}
            onClose={() => setDeleting(false)}
          />
        </Suspense>
      )}
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
