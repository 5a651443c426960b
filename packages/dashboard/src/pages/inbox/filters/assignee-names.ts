import { ASSIGNED_TO_ME, type Person, UNASSIGNED } from '@bugle/contract'

/** A value of the filter `assignee`, for people. */
export function assigneeName(word: string, people: readonly Person[]): string {
  if (word === ASSIGNED_TO_ME) return 'Me'
  if (word === UNASSIGNED) return 'No one'
  return people.find(({ id }) => id === word)?.name ?? 'Former user'
}
