import { type IssueListItem, MAX_BULK_ISSUES, SECURITY_CATEGORY } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, type RefObject, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useMay, useMe } from '../../api/session.ts'
import { useLiveState } from '../../live/live.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { holdKeys } from '../../ui/hold-keys.ts'
import { useTitle } from '../../ui/page.tsx'
import { formatCount } from '../../ui/words.ts'
import type { Matching } from './changes/bulk-changes.ts'
import type { RowPatch } from './changes/change-issues.ts'
import { commonMoves } from './changes/common-moves.ts'
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

const SelectionBar = lazy(() =>
  import('./changes/selection-bar.tsx').then((module) => ({ default: module.SelectionBar })),
)

const MatchingDialog = lazy(() =>
  import('./changes/matching-dialog.tsx').then((module) => ({ default: module.MatchingDialog })),
)

const DeleteSelectedDialog = lazy(() =>
  import('./changes/delete-selected-dialog.tsx').then((module) => ({ default: module.DeleteSelectedDialog })),
)

const AssigneeDialog = lazy(() =>
  import('../../picks/assignee-dialog.tsx').then((module) => ({ default: module.AssigneeDialog })),
)

const LabelsDialog = lazy(() =>
  import('../../picks/labels-dialog.tsx').then((module) => ({ default: module.LabelsDialog })),
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
  const [isDeleting, setDeleting] = useState(false)
  const [matching, setMatching] = useState<Matching>()
  const [toAssign, setToAssign] = useState<readonly IssueListItem[]>([])
  const [toLabel, setToLabel] = useState<readonly IssueListItem[]>([])
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

  function askToDelete(): void {
    holdKeys(() => setDeleting(false))
    setDeleting(true)
  }

  /** For as many as are shown now: if others match by then, the server refuses. */
  function askForAll(): void {
    holdKeys(() => setMatching(undefined))
    setMatching({ filters, count })
  }

  function showChanged(): void {
    setMatching(undefined)
    clearSelection()
    showNews()
  }

  function askToAssign(issues: readonly IssueListItem[]): void {
    holdKeys(() => setToAssign([]))
    setToAssign(issues)
  }

  function assign(issues: readonly IssueListItem[], assigneeId: string | null): void {
    void change(issues, { assigneeId })
    clearSelection()
  }

  function askToLabel(issues: readonly IssueListItem[]): void {
    holdKeys(() => setToLabel([]))
    setToLabel(issues)
  }

  /** Issues that get the same labels are changed, and undone, together. */
  function label(
    issues: readonly IssueListItem[],
    added: readonly string[],
    removed: readonly string[],
  ): void {
    const labelsOf = (issue: IssueListItem) => [
      ...new Set([...(issue.labels ?? []).filter((name) => !removed.includes(name)), ...added]),
    ]
    const bySet = Map.groupBy(issues, (issue) => JSON.stringify(labelsOf(issue).toSorted()))
    for (const [labels, some] of bySet) void change(some, { labels: JSON.parse(labels) })
    clearSelection()
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
    onAssign: askToAssign,
    onLabel: askToLabel,
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
            onAssign={() => askToAssign(selection.issues())}
            onLabel={() => askToLabel(selection.issues())}
            onDelete={mayDelete ? askToDelete : undefined}
            onAll={count > selection.ids.size && count <= MAX_BULK_ISSUES ? askForAll : undefined}
            matchingCount={count}
            onClear={clearSelection}
          />
        </Suspense>
      )}
      {matching !== undefined && (
        <Suspense>
          <MatchingDialog
            matching={matching}
            moves={commonMoves(statusesIn(state.counts, filters.status))}
            mayDelete={mayDelete}
            onChanged={showChanged}
            onClose={() => setMatching(undefined)}
          />
        </Suspense>
      )}
      {toAssign.length > 0 && (
        <Suspense>
          <AssigneeDialog
            chosen={commonAssignee(toAssign)}
            isHidden={toAssign.some(({ category }) => category === SECURITY_CATEGORY)}
            onChoose={(id) => assign(toAssign, id)}
            onClose={() => setToAssign([])}
          />
        </Suspense>
      )}
      {toLabel.length > 0 && (
        <Suspense>
          <LabelsDialog
            chosen={commonLabels(toLabel)}
            onChange={(added, removed) => label(toLabel, added, removed)}
            onClose={() => setToLabel([])}
          />
        </Suspense>
      )}
      {isDeleting && (
        <Suspense>
          <DeleteSelectedDialog
            chosen={selection.issues()}
            onDeleted={(areDeleted) => {
              setDeleting(false)
              if (areDeleted) for (const id of selection.ids) list.patch(id, 'gone')
              clearSelection()
            }}
            onClose={() => setDeleting(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The labels that all of these issues have. */
function commonLabels([first, ...others]: readonly IssueListItem[]): readonly string[] {
  return (first?.labels ?? []).filter((name) => others.every(({ labels }) => labels?.includes(name)))
}

/** The assignee of all of these issues; `undefined` if they have different ones. */
function commonAssignee(issues: readonly IssueListItem[]): string | null | undefined {
  const [first, ...others] = new Set(issues.map(({ assigneeId }) => assigneeId))
  return others.length === 0 ? first : undefined
}

/** Retries what failed to load once the server is back. */
function useRetryWhenLive(retry: () => void, error: unknown): void {
  const isLive = useLiveState() === 'live'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the connection is back
  useEffect(() => {
    if (isLive && error !== undefined) retry()
  }, [isLive])
}
