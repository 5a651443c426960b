import type { FixedIn, Issue, MemberChange } from '@bugle/contract'
import { CATEGORY_NAMES, PRIORITY_NAMES, STATUS_NAMES } from '../../../ui/words.ts'
import { formatRelease } from '../releases.ts'

/** What people can change. */
const MEMBERS = ['status', 'priority', 'category', 'title', 'description', 'fixedIn'] as const
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: STATUS_NAMES,
  priority: PRIORITY_NAMES,
  category: CATEGORY_NAMES,
}
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** What somebody did, as the end of a sentence that begins with their name. */
export function describeChange({ member, from, to }: MemberChange): string {
  if (member === 'status') return `moved it from ${nameOf(member, from)} to ${nameOf(member, to)}`
  if (member === 'description') return 'changed the description'
  if (member === 'title') return `changed the title from ${quote(from)} to ${quote(to)}`
  if (member === 'fixedIn')
    return to === null ? 'removed the release of the fix' : `marked it as fixed in ${releaseOf(to)}`
  return `changed the ${member} from ${nameOf(member, from)} to ${nameOf(member, to)}`
}

/** What is different about an issue, in the form that the history has. */
export function differencesBetween(before: Issue, after: Issue): readonly MemberChange[] {
  return MEMBERS.map((member) => ({ member, from: before[member], to: after[member] })).filter(
    ({ from, to }) => JSON.stringify(from) !== JSON.stringify(to),
  )
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

/** Text of others inside a sentence of ours: it cannot turn the rest of the sentence around. */
function isolate(text: string): string {
  return `\u2068${text.replace(DIRECTION_CONTROLS, '')}\u2069`
}
