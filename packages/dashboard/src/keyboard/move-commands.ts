import type { IssueStatus } from '@bugle/contract'
import { MOVES, STATUS_NAMES } from '../ui/words.ts'
import type { Command } from './command.ts'

/** A command for each status that issues can change to. */
export function moveCommands(
  statuses: readonly IssueStatus[],
  move: (to: IssueStatus) => void,
): readonly Command[] {
  return statuses.map((status) => ({
    id: `issue.move.${status}`,
    title: MOVES[status].title,
    section: 'Issues',
    keys: MOVES[status].keys,
    words: `move status ${STATUS_NAMES[status]}`,
    run: () => move(status),
  }))
}
