import type { Issue } from '@bugle/contract'
import { expect, it } from 'vitest'
import { describeChange, differencesBetween } from './describe-change.ts'

it.each([
  [
    { member: 'status', from: 'in_progress', to: 'wontfix' },
    "changed the status from In progress to Won't fix",
  ],
  [{ member: 'priority', from: 'low', to: 'critical' }, 'changed the priority from Low to Critical'],
  [{ member: 'category', from: 'bug', to: 'ui_ux' }, 'changed the category from Bug to UI/UX'],
  [{ member: 'description', from: null, to: null }, 'changed the description'],
  [{ member: 'duplicateOf', from: null, to: 'iss_1' }, 'marked it as a duplicate'],
  [{ member: 'duplicateOf', from: 'iss_1', to: null }, 'unmerged it'],
  [{ member: 'known', from: null, to: 'A' }, 'published it as the known issue “\u2068A\u2069”'],
  [{ member: 'known', from: 'A', to: 'A' }, 'changed the text of the known issue “\u2068A\u2069”'],
  [
    { member: 'known', from: 'A', to: { title: 'B', text: '' } },
    'changed the known issue from “\u2068A\u2069” to “\u2068B\u2069”',
  ],
  [{ member: 'known', from: 'A', to: null }, 'unpublished the known issue'],
  [{ member: 'fixedIn', from: null, to: null }, 'removed the fix version'],
  [
    { member: 'fixedIn', from: null, to: { appVersion: '2.4.2', buildNumber: '530' } },
    'marked it as fixed in \u20682.4.2 (530)\u2069',
  ],
  [
    { member: 'title', from: 'a\u202eb', to: 'c\u2069' },
    'changed the title from “\u2068ab\u2069” to “\u2068c\u2069”',
  ],
  [{ member: 'assignee', from: null, to: 'Ada' }, 'changed the assignee from null to Ada'],
])('%j reads well', (change, text) => {
  expect(describeChange(change)).toBe(text)
})

it('finds changes by people, but not those by further reports', () => {
  const before = { title: 'A', status: 'open', fixedIn: null, duplicateOf: null, reportCount: 1 } as Issue
  const after = { ...before, status: 'closed', reportCount: 9 } as const
  expect(differencesBetween(before, after)).toEqual([{ member: 'status', from: 'open', to: 'closed' }])
})
