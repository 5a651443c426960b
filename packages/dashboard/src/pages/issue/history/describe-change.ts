import type { FixedIn, Issue, MemberChange } from '@bugle/contract'
import { isolate } from '../../../ui/report-text/isolate.ts'
import { CATEGORY_NAMES, PRIORITY_NAMES, STATUS_NAMES } from '../../../ui/words.ts'
import { formatRelease } from '../releases.ts'

/** The fields that people can change. */
const MEMBERS = [
  'status',
  'priority',
  'category',
  'assigneeId',
  'labels',
  'title',
  'description',
  'fixedIn',
  'duplicateOf',
  'known',
] as const
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: STATUS_NAMES,
  priority: PRIORITY_NAMES,
  category: CATEGORY_NAMES,
}

/** A change, as the end of a sentence that begins with the actor's name. `names` has those of people in the change. */
export function describeChange({ member, from, to }: MemberChange, names: Names = {}): string {
  if (member === 'status') return `changed the status from ${nameOf(member, from)} to ${nameOf(member, to)}`
  if (member === 'labels') return describeLabels(from, to)
  if (member === 'assigneeId')
    return to === null ? 'removed the assignee' : `assigned it to ${personOf(to, names)}`
  if (member === 'description') return 'changed the description'
  if (member === 'title') return `changed the title from ${quote(from)} to ${quote(to)}`
  if (member === 'fixedIn')
    return to === null ? 'removed the fix version' : `marked it as fixed in ${releaseOf(to)}`
  if (member === 'duplicateOf') return to === null ? 'unmerged it' : 'marked it as a duplicate'
  if (member === 'known') return describeKnown(titleOf(from), titleOf(to))
  if (member === 'report') return `${String(to)} report ${String(from)}`
  return `changed the ${member} from ${nameOf(member, from)} to ${nameOf(member, to)}`
}

/** The differences between two versions of an issue, in the form of history entries. */
export function differencesBetween(before: Issue, after: Issue): readonly MemberChange[] {
  return MEMBERS.map((member) => ({ member, from: before[member], to: after[member] })).filter(
    ({ from, to }) => JSON.stringify(from) !== JSON.stringify(to),
  )
}

/** Which labels were added, and which were removed. */
function describeLabels(from: unknown, to: unknown): string {
  const [before, after] = [from, to] as [readonly string[] | null, readonly string[] | null]
  const added = (after ?? []).filter((name) => !before?.includes(name))
  const removed = (before ?? []).filter((name) => !after?.includes(name))
  const quoted = (names: readonly string[]) =>
    `${names.length === 1 ? 'label' : 'labels'} ${names.map(quote).join(', ')}`
  return [
    ...(added.length > 0 ? [`added the ${quoted(added)}`] : []),
    ...(removed.length > 0 ? [`removed the ${quoted(removed)}`] : []),
  ].join(' and ')
}

function describeKnown(from: string | null, to: string | null): string {
  if (to === null) return 'unpublished the known issue'
  if (from === null) return `published it as the known issue ${quote(to)}`
  if (from === to) return `changed the text of the known issue ${quote(to)}`
  return `changed the known issue from ${quote(from)} to ${quote(to)}`
}

/** The history has only the title. */
function titleOf(known: unknown): string | null {
  return typeof known === 'string' ? known : ((known as Issue['known'])?.title ?? null)
}

/** The names of people, by id. */
type Names = Readonly<Record<string, string>>

function personOf(id: unknown, names: Names): string {
  const name = names[String(id)]
  return name === undefined ? 'a former user' : isolate(name)
}

function nameOf(member: string, value: unknown): string {
  const text = String(value)
  return NAMES[member]?.[text] ?? text
}

function releaseOf(value: unknown): string {
  return isolate(formatRelease(value as FixedIn))
}

function quote(value: unknown): string {
  return `“${isolate(String(value))}”`
}
