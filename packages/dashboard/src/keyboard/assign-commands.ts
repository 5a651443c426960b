import type { Command } from './command.ts'

interface Assigning {
  readonly assign: () => void
  readonly assignToMe: () => void
  readonly label: () => void
}

/** The commands that assign and label issues, in the list and on the page of an issue. */
export function assignCommands({ assign, assignToMe, label }: Assigning): readonly Command[] {
  return [
    {
      id: 'issue.assign',
      title: 'Assign to…',
      section: 'Issues',
      keys: ASSIGN_KEYS,
      words: 'assignee person unassign',
      run: assign,
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
      run: label,
    },
  ]
}

export const ASSIGN_KEYS = 'shift+a'
export const LABEL_KEYS = 'l'
