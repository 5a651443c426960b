import type { Report } from '@bugle/contract'
import { expect, it } from 'vitest'
import { callReporter, describeReaders, findReporters, hasReaders } from './reporters.ts'

const ISSUE = { id: 'iss_1', reportCount: 4 }
const ADA = { id: null, name: 'Ada', email: 'ada@example.com' }

function report(reportNumber: number, some: Partial<Report> = {}): Report {
  const id = `rep_${reportNumber}`
  const none = { reporter: null, reporterId: null, isReporterBlocked: false }
  return { id, issueId: 'iss_1', reportNumber, ...none, ...some } as Report
}

it('counts each reporter once, with their latest report, and none of duplicates', () => {
  const reporters = findReporters(ISSUE, [
    report(4, { reporterId: 'rpr_a' }),
    report(3),
    report(2, { reporterId: 'rpr_c', issueId: 'iss_2' }),
    report(1, { reporterId: 'rpr_a', reporter: ADA }),
  ])
  expect(reporters.known).toEqual([
    { id: 'rpr_a', reporter: ADA, isBlocked: false, reportId: 'rep_4', reportNumber: 4 },
  ])
  expect(reporters.isPart).toBe(false)
  expect([1, 3, 4].map((number) => callReporter(reporters, number))).toEqual([
    '\u2068Ada\u2069',
    'the reporter of report 3',
    '\u2068Ada\u2069',
  ])
})

it.each([
  [[report(1, { reporterId: 'rpr_a', reporter: ADA })], null, /^At least 1 reporter will read this/],
  [[report(1, { reporterId: 'rpr_a', reporter: ADA })], 'rep_1', /^Only \u2068Ada\u2069 will read this/],
  [[report(2, { reporterId: 'rpr_b' })], 'rep_2', /^Only the reporter of report 2 will read this/],
  [[report(1, { reporterId: 'rpr_a', isReporterBlocked: true })], null, /^No reporter can read this/],
  [[report(1, { reporterId: 'rpr_a', isReporterBlocked: true })], 'rep_1', /^Blocked: /],
  [
    [report(1, { reporterId: 'rpr_a' })],
    'rep_9',
    /^This report is not among the latest ones, or was deleted/,
  ],
])('says who will read a reply: case %#', (reports, reportId, text) => {
  expect(describeReaders(findReporters(ISSUE, reports), { reportId })).toMatch(text)
})

it.each([null, 'rep_1'])(
  'does not guess who will read a reply if the reports cannot be loaded: %s',
  (reportId) => {
    const reporters = { ...findReporters(ISSUE, []), hasFailed: true }
    expect(describeReaders(reporters, { reportId })).toBe('The reporters could not be loaded.')
  },
)

it('says how many will read a reply', () => {
  const reports = ['a', 'b'].map((id, index) => report(index + 1, { reporterId: `rpr_${id}` }))
  const reporters = findReporters({ ...ISSUE, reportCount: 2 }, reports)
  expect(describeReaders(reporters, { reportId: null })).toMatch(/^2 reporters will read this/)
  expect(hasReaders(reporters)).toBe(true)
  expect(hasReaders(findReporters(ISSUE, [report(1)]))).toBe(false)
})
