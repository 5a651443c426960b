import { canMove, ISSUE_STATUSES, type IssueListItem, type IssueStatus } from '@bugle/contract'
import { useNavigate } from '@tanstack/react-router'
import { assignCommands } from '../../keyboard/assign-commands.ts'
import type { Command } from '../../keyboard/command.ts'
import { moveCommands } from '../../keyboard/move-commands.ts'
import { useCommands } from '../../keyboard/use-commands.ts'
import { useProject } from '../../shell/current-project.ts'
import { issueAddress } from '../../shell/issue-address.ts'
import { announce } from '../../ui/feedback/announce.tsx'
import { STATUS_NAMES } from '../../ui/words.ts'
import { commonMoves } from './changes/common-moves.ts'
import type { IssueAction } from './changes/selection-dialog.tsx'
import type { ChangeRows } from './changes/use-changes.ts'
import type { Selection } from './changes/use-selection.ts'
import type { IssueList } from './list/issue-list.ts'

interface Board {
  readonly list: IssueList
  readonly count: number
  readonly cursor: number
  readonly setCursor: (index: number) => void
  readonly selection: Selection
  readonly mayMove: boolean
  readonly change: ChangeRows
  readonly showNews: () => void
  readonly focusRows: () => void
  readonly onSearch: () => void
  readonly onFilter: () => void
  readonly onSave: () => void
  /** Opens the dialog for an action on these issues. */
  readonly ask: (action: IssueAction, issues: readonly IssueListItem[]) => void
  /** The person who is signed in. */
  readonly me: string | undefined
}

/** The commands of the list, for keys and palette. */
export function useBoardCommands(board: Board): void {
  const { list, count, cursor, selection, mayMove } = board
  const navigate = useNavigate()
  const { slug } = useProject()
  const row = list.row(cursor)
  const current = typeof row === 'object' ? row : undefined

  function step(by: number): void {
    const next = Math.max(0, Math.min(cursor + by, count - 1))
    board.setCursor(next)
    board.focusRows()
  }

  function extend(by: number): void {
    const next = Math.max(0, Math.min(cursor + by, count - 1))
    selection.extend(cursor, next)
    board.setCursor(next)
  }

  /** The selected issues or, if there are none, the current one. */
  function meant(): readonly IssueListItem[] {
    return selection.ids.size > 0 ? selection.issues() : [current].filter((issue) => issue !== undefined)
  }

  function ask(action: IssueAction): void {
    const issues = meant()
    if (issues.length > 0) board.ask(action, issues)
  }

  function assignToMe(): void {
    const issues = meant()
    if (issues.length === 0 || board.me === undefined) return
    void board.change(issues, { assigneeId: board.me })
    selection.clear()
  }

  function moveTo(to: IssueStatus): void {
    const isSingle = selection.ids.size === 0
    const issues = meant()
    if (issues.length === 0) return
    if (!commonMoves(issues).includes(to)) {
      const what = isSingle ? `#${issues[0]?.issueNumber}` : 'Not all of the selected issues'
      announce(
        `${what} ${isSingle ? 'cannot' : 'can'} move to ${STATUS_NAMES[to]} from ${isSingle ? 'its' : 'their'} current status.`,
      )
      return
    }
    void board.change(issues, { status: to })
    if (isSingle) step(1)
    else selection.clear()
  }

  const open = () => current && void navigate(issueAddress(slug, current))
  const own = [
    keyInList('next', 'Next issue', 'j', () => step(1), 'arrowdown'),
    keyInList('previous', 'Previous issue', 'k', () => step(-1), 'arrowup'),
    keyInList('first', 'First issue', 'home', () => step(-count)),
    inList('open', 'Open issue', 'enter', open),
    inList('search', 'Search', '/', board.onSearch),
    inList('filter', 'Filter', 'f', board.onFilter),
    inList('refresh', 'Refresh and show new issues', '.', board.showNews),
    inList('save', 'Save view', 's', board.onSave),
  ]
  const selecting = [
    inList('select', 'Select', 'x', () => selection.toggle(cursor)),
    keyInList('select-down', 'Extend selection down', 'shift+j', () => extend(1), 'shift+arrowdown'),
    keyInList('select-up', 'Extend selection up', 'shift+k', () => extend(-1), 'shift+arrowup'),
    keyInList('clear', 'Clear selection', 'escape', selection.clear),
  ]
  const moving = [...moveCommands(MOVE_ORDER, moveTo), ...assignCommands(ask, assignToMe)]
  useCommands(mayMove ? [...moving, ...own, ...selecting] : own)
}

/** In order of use: from an open issue onwards, then back to open. */
const MOVE_ORDER = [
  ...ISSUE_STATUSES.filter((status) => canMove('open', status)),
  'open',
] as const satisfies readonly IssueStatus[]

type Named = [name: string, title: string, keys: string, run: () => void]

function inList(...[name, title, keys, run]: Named): Command {
  return { id: `list.${name}`, title, section: 'List', keys, run }
}

/** A command that only makes sense as a key. */
function keyInList(...[name, title, keys, run, alsoKeys = keys]: [...Named, alsoKeys?: string]): Command {
  return { ...inList(name, title, keys, run), isKeyOnly: true, alsoKeys }
}
