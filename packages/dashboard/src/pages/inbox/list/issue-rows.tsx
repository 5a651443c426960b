import type { IssueListItem } from '@bugle/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect } from 'react'
import type { Selection } from '../changes/use-selection.ts'
import { Cell } from './cell.tsx'
import type { IssueList, ListState } from './issue-list.ts'
import { IssueRow } from './issue-row.tsx'
import classes from './issue-rows.module.css'

/** The number of rows that are drawn beyond the edge of the screen. */
const OVERSCAN_ROWS = 10

interface IssueRowsProps {
  readonly list: IssueList
  readonly state: ListState
  readonly selection: Selection
  readonly isSelectable: boolean
  /** The current row, which keys act on. */
  readonly cursor: number
  readonly rowHeight: number
  /** The element that scrolls, and has the focus. */
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly initialOffset: number
  /** Whether the list was open before: then the keyboard position is restored. */
  readonly takesFocus: boolean
  readonly isDone: (issue: IssueListItem) => boolean
  readonly onToggle: (index: number, isRange: boolean) => void
  readonly onCursor: (index: number) => void
  /** Renders what belongs around an issue, if there is anything. */
  readonly around?: (issue: IssueListItem, row: ReactNode) => ReactNode
}

/** The visible rows; all others only take up height. */
export function IssueRows(props: IssueRowsProps) {
  const { list, state, selection, isSelectable, cursor, rowHeight, gridRef, onCursor } = props
  const rows = useVirtualizer({
    count: state.count,
    getScrollElement: () => gridRef.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
    initialOffset: props.initialOffset,
    useFlushSync: false,
  })
  const { startIndex = 0, endIndex = 0 } = rows.range ?? {}
  useEffect(() => list.show(startIndex, endIndex), [list, startIndex, endIndex])
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows grow when the window narrows
  useEffect(() => rows.measure(), [rowHeight])
  useEffect(() => {
    if (cursor >= 0) rows.scrollToIndex(cursor, { align: 'auto' })
  }, [cursor, rows])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the rows are loaded
  useEffect(() => {
    if (props.takesFocus && document.activeElement === document.body)
      gridRef.current?.focus({ preventScroll: true })
  }, [])

  const drawn = rows.getVirtualItems()
  const isCursorDrawn = drawn.some(({ index }) => index === cursor)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in part
    <div
      ref={gridRef}
      role="grid"
      tabIndex={0}
      aria-label="Issues"
      aria-rowcount={state.total ?? -1}
      aria-multiselectable={isSelectable}
      aria-activedescendant={isCursorDrawn ? rowId(cursor) : undefined}
      className={classes['grid']}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="rowgroup" className={classes['all']} style={{ height: rows.getTotalSize() }}>
        {drawn.map(({ index, start }) => (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and takes the keys
          <div
            key={index}
            id={rowId(index)}
            role="row"
            tabIndex={-1}
            aria-rowindex={index + 1}
            aria-selected={isSelectable ? isSelected(index) : undefined}
            data-cursor={index === cursor || undefined}
            className={classes['row']}
            style={{ height: rowHeight, transform: `translateY(${start}px)` }}
            onClick={() => onCursor(index)}
          >
            {renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  )

  function isSelected(index: number): boolean {
    const row = list.row(index)
    return typeof row === 'object' && selection.has(row.id)
  }

  function renderRow(index: number): ReactNode {
    const row = list.row(index)
    if (row === undefined) return <RowToCome />
    if (row === 'gone') {
      return <Cell className={classes['gone']}>No longer available</Cell>
    }
    const shown = (
      <IssueRow
        issue={row}
        index={index}
        isSelected={selection.has(row.id)}
        isSelectable={isSelectable}
        isDone={props.isDone(row)}
        onToggle={props.onToggle}
      />
    )
    return props.around?.(row, shown) ?? shown
  }
}

/** As large as a row, so that nothing moves when the row is loaded. */
function RowToCome() {
  return (
    <Cell className={classes['coming']}>
      <span className="visually-hidden">Loading</span>
    </Cell>
  )
}

function rowId(index: number): string {
  return `issue-row-${index}`
}
