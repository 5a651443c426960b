import { type IssueListItem, MAX_BULK_ISSUES } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type RefObject, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useMay, useMe } from '../../api/people/session.ts'
import { useLiveState } from '../../live/live.tsx'
import { lazyPart } from '../../shell/lazy-part.ts'
import { Failure } from '../../ui/feedback/failure.tsx'
import { holdKeys } from '../../ui/hold-keys.ts'
import { useTitle } from '../../ui/page.tsx'
import { formatCount } from '../../ui/words.ts'
import { commonMoves } from './changes/common-moves.ts'
import type { RowPatch } from './changes/row-patches.ts'
import type { IssueAction, Question } from './changes/selection-dialog.tsx'
import { useChanges } from './changes/use-changes.ts'
import { useSelection } from './changes/use-selection.ts'
import { type Filters, passesFilters } from './filters/filters.ts'
import { shownCount, statusesIn } from './filters/status-counts.ts'
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

const SelectionBar = lazyPart(() => import('./changes/selection-bar.tsx'), 'SelectionBar')

const SelectionDialog = lazyPart(() => import('./changes/selection-dialog.tsx'), 'SelectionDialog')

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

/** The rows, with all their commands. */
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
  const [question, setQuestion] = useState<Question>()
  const me = useMe()
  useLiveList({ session, gridRef, hasSelection: selection.ids.size > 0, showNews: showQuietly })
  useRetryWhenLive(list.retry, state.error)
  useKeptPlace(session.name, cursor, gridRef)

  /** Shows new rows above the others. The cursor stays on its issue unless the issue has left the screen. */
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

  const close = () => setQuestion(undefined)

  function open(asked: Question): void {
    holdKeys(close)
    setQuestion(asked)
  }

  const ask = (action: IssueAction, issues: readonly IssueListItem[]) => open({ action, issues })

  function showChanged(): void {
    close()
    clearSelection()
    showNews()
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
    ask,
    me,
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
          isDone={(issue) => !passesFilters(issue, filters, me)}
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
      {selection.ids.size > 0 && (
        <Suspense>
          <SelectionBar
            count={selection.ids.size}
            moves={moves}
            onMove={(status) => changeSelected({ status })}
            onPriority={(priority) => changeSelected({ priority })}
            isSpam={filters.spam === true}
            mayDelete={mayDelete}
            onAsk={(action) => ask(action, selection.issues())}
            // For as many as are shown now: if others match by then, the server refuses.
            onAll={
              count > selection.ids.size && count <= MAX_BULK_ISSUES
                ? () => open({ action: 'all', matching: { filters, count } })
                : undefined
            }
            matchingCount={count}
            onClear={clearSelection}
          />
        </Suspense>
      )}
      {question !== undefined && (
        <Suspense>
          <SelectionDialog
            question={question}
            list={list}
            change={change}
            moves={commonMoves(statusesIn(state.counts, filters.status))}
            mayDelete={mayDelete}
            onDone={clearSelection}
            onChanged={showChanged}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Retries what failed to load once the server is back. */
function useRetryWhenLive(retry: () => void, error: unknown): void {
  const isLive = useLiveState() === 'live'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the connection is back
  useEffect(() => {
    if (isLive && error !== undefined) retry()
  }, [isLive])
}
