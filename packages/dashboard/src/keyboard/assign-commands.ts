import type { Command } from './command.ts'

/** The commands that assign, label and merge issues, in the list and on the page of an issue; `ask` opens a dialog. */
export function assignCommands(
  ask: (action: 'assign' | 'label' | 'merge') => void,
  assignToMe: () => void,
): readonly Command[] {
  return [
    {
      id: 'issue.assign',
      title: 'Assign to…',
      section: 'Issues',
      keys: ASSIGN_KEYS,
      words: 'assignee person unassign',
      run: () => ask('assign'),
    },
    {
      id: 'issue.assign-to-me',
      title: 'Assign to me',
      section: 'Issues',
      keys: 'm',
      words: 'assignee take',
      run: assignToMe,
    },
    {
      id: 'issue.label',
      title: 'Labels…',
      section: 'Issues',
      keys: LABEL_KEYS,
      words: 'label tag',
      run: () => ask('label'),
    },
    {
      id: 'issue.merge',
      title: 'Mark as duplicate of…',
      section: 'Issues',
      keys: MERGE_KEYS,
      words: 'merge',
      run: () => ask('merge'),
    },
  ]
}

export const ASSIGN_KEYS = 'shift+a'
export const LABEL_KEYS = 'l'
export const MERGE_KEYS = 'd'
