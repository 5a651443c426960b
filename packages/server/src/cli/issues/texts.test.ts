import type { IssueListItem } from '@bugle/contract'
import { expect, it } from 'vitest'
import { NO_COLOURS } from '../terminal/colours.ts'
import { issueLine } from './texts.ts'

const ISSUE = {
  createdAt: '2026-11-16T04:37:32.123Z',
  issueNumber: 41,
  priority: 'critical',
  category: 'performance',
  title: 'Settings stay blank \u001b[2J after the update of last week',
} as IssueListItem

it.each([
  [
    Number.POSITIVE_INFINITY,
    '2026-11-16 04:37:32 UTC  #41     critical  performance  Settings stay blank \\u{1b}[2J after the update of last week',
  ],
  [60, '04:37:32  #41     critical  Settings stay blank \\u{1b}[2J a…'],
])('a new issue fits on a line of %d columns, with seconds', (columns, line) => {
  expect(issueLine(ISSUE, { columns, colours: NO_COLOURS })).toBe(line)
  expect(line.length).toBeLessThanOrEqual(columns)
})
