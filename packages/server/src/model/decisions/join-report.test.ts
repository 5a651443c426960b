import { describe, expect, it } from 'vitest'
import { mintUnshardedId } from '../ids.ts'
import type { StoredIssue } from '../issues.ts'
import { normaliseSubmission } from '../reports/reports.ts'
import { moveIssue } from './change-issue.ts'
import { joinReport } from './join-report.ts'

const issue: StoredIssue = {
  ...normaliseSubmission({ title: 'Blank screen', fingerprint: 'f', appVersion: '2.3.0' }),
  id: mintUnshardedId('iss', 0),
  projectId: mintUnshardedId('prj', 0),
  issueNumber: 1,
  status: 'resolved',
  submissionId: null,
  sender: null,
  spamAt: null,
  reportCount: 1,
  reporterCount: 0,
  deletedReports: 0,
  editedAt: null,
  reportWords: 0,
  commentCount: 0,
  messageCount: 0,
  conversation: null,
  known: null,
  lastReportedAt: 0,
  duplicateOf: null,
  statusBeforeMerge: null,
  duplicateCount: 0,
  duplicateReports: 0,
  ownReportedAt: null,
  fixedIn: { appVersion: '2.4.0', buildNumber: null },
  assigneeId: null,
  labels: [],
  resolvedAt: 1_000,
  unconfirmedVersion: null,
  lastSeenIn: null,
  onDefaultBranch: null,
  firstLeftOpenAt: 1_000,
  firstResolvedAt: 1_000,
  createdAt: 0,
  updatedAt: 1_000,
  version: 2,
}
const unconfirmed: StoredIssue = { ...issue, status: 'open', resolvedAt: null, unconfirmedVersion: '2.5.0' }

function reportFrom(appVersion: string | null) {
  return { ...normaliseSubmission({ title: 'x', appVersion }), receivedAt: 5_000 }
}

const isKnown = () => true
const isNew = () => false

function eventsOf(from: StoredIssue, appVersion: string | null, isVersionKnown: () => boolean) {
  return joinReport(from, reportFrom(appVersion), isVersionKnown).events.map(({ type, confirmed }) => [
    type,
    confirmed,
  ])
}

describe('a report on a resolved issue', () => {
  it('from a known version reopens it, confirmed, and increases its version', () => {
    const { issue: after, events } = joinReport(issue, reportFrom('2.5.0'), isKnown)
    expect(after).toMatchObject({ status: 'open', version: 3, unconfirmedVersion: null, updatedAt: 5_000 })
    expect(events.map(({ type, confirmed }) => [type, confirmed])).toEqual([
      ['issue.reported', undefined],
      ['issue.regressed', true],
    ])
  })

  it('from an unknown version reopens it, unconfirmed, with the reason', () => {
    const { issue: after, events } = joinReport(issue, reportFrom('2.5.0'), isNew)
    expect(after).toMatchObject({ status: 'open', version: 3, unconfirmedVersion: '2.5.0' })
    expect(events[1]).toMatchObject({
      confirmed: false,
      changes: [{ member: 'status', from: 'resolved', to: 'open' }],
    })
    expect(events[1]?.reason).toContain('Unconfirmed: no earlier report of the project came from 2.5.0.')
  })

  it('without a version is not from a new one', () => {
    expect(eventsOf({ ...issue, fixedIn: null }, null, isNew)).toContainEqual(['issue.regressed', true])
  })

  it('from before the fix changes nothing, and does not look up the version', () => {
    const asked = () => {
      throw new Error('asked in vain')
    }
    expect(eventsOf(issue, '2.3.9', asked)).toEqual([['issue.reported', undefined]])
  })
})

describe('a report after an unconfirmed regression', () => {
  it.each(['2.5.0', '2.5.1', '10.0'])('confirms it once, from %s', (appVersion) => {
    const { issue: after, events } = joinReport(unconfirmed, reportFrom(appVersion), isNew)
    expect(events[1]).toMatchObject({ type: 'issue.regressed', confirmed: true, changes: [] })
    expect(after).toMatchObject({ status: 'open', version: 2, unconfirmedVersion: null })
    expect(eventsOf(after, appVersion, isNew)).toEqual([['issue.reported', undefined]])
  })

  it.each(['2.4.9', 'dev', null])('does not confirm it from %s', (appVersion) => {
    const { issue: after, events } = joinReport(unconfirmed, reportFrom(appVersion), isKnown)
    expect([events.length, after.unconfirmedVersion]).toEqual([1, '2.5.0'])
  })

  it('confirms a version without a number only by the same one', () => {
    const nightly = { ...unconfirmed, unconfirmedVersion: 'nightly' }
    expect(eventsOf(nightly, 'nightly', isNew)).toContainEqual(['issue.regressed', true])
    expect(eventsOf(nightly, '9.0', isNew)).toEqual([['issue.reported', undefined]])
  })

  it('still confirms it while the issue is active, but not once it is finished', () => {
    const started = moveIssue({ ...unconfirmed, status: 'in_progress' }, 'open', 6_000)
    expect(eventsOf(started, '2.5.0', isNew)).toContainEqual(['issue.regressed', true])
    for (const status of ['closed', 'wontfix', 'resolved'] as const) {
      const ended = moveIssue({ ...unconfirmed, status }, 'open', 6_000)
      expect(ended.unconfirmedVersion).toBeNull()
    }
  })
})
