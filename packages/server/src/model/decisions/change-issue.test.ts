import { describe, expect, it } from 'vitest'
import { mintUnshardedId } from '../ids.ts'
import type { IssuePatch, StoredIssue } from '../issues.ts'
import { normaliseSubmission } from '../reports/reports.ts'
import { changeIssue, moveIssue } from './change-issue.ts'

const issue: StoredIssue = {
  ...normaliseSubmission({ title: 'Blank screen', fingerprint: 'f' }),
  id: mintUnshardedId('iss', 0),
  projectId: mintUnshardedId('prj', 0),
  issueNumber: 1,
  status: 'open',
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
  fixedIn: null,
  assigneeId: null,
  labels: [],
  resolvedAt: null,
  unconfirmedVersion: null,
  lastSeenIn: null,
  onDefaultBranch: null,
  firstLeftOpenAt: null,
  firstResolvedAt: null,
  createdAt: 0,
  updatedAt: 0,
  version: 1,
}
const at = 5_000
const circumstances = {
  at,
  isFingerprintTaken: false,
  laneAssignee: null,
  labelNames: {},
  seesSecurity: true,
  canPublish: true,
}

describe('changing an issue', () => {
  it('records the times of status changes', () => {
    const acknowledged = moveIssue({ ...issue, status: 'acknowledged' }, 'open', 10)
    expect(acknowledged).toMatchObject({ firstLeftOpenAt: 10, resolvedAt: null, firstResolvedAt: null })
    const resolved = moveIssue({ ...acknowledged, status: 'resolved' }, 'acknowledged', 20)
    expect(resolved).toMatchObject({ firstLeftOpenAt: 10, resolvedAt: 20, firstResolvedAt: 20 })
    const reopened = moveIssue({ ...resolved, status: 'open' }, 'resolved', 30)
    expect(reopened).toMatchObject({ firstLeftOpenAt: 10, resolvedAt: null, firstResolvedAt: 20 })
    const again = moveIssue({ ...reopened, status: 'resolved' }, 'open', 40)
    expect(again).toMatchObject({ firstLeftOpenAt: 10, resolvedAt: 40, firstResolvedAt: 20 })
  })

  it.each([
    ['the lane stays the same', 'crash', true, 'f'],
    ['the other lane is free', 'security', false, 'f'],
    ['the other lane has it', 'security', true, null],
  ] as const)('keeps its fingerprint or loses it when %s', (_, category, isFingerprintTaken, fingerprint) => {
    const decision = changeIssue(issue, { category }, { ...circumstances, isFingerprintTaken })
    expect(decision).toMatchObject({
      kind: 'changed',
      issue: { category, fingerprint, version: 2, updatedAt: at },
    })
  })

  it.each([
    ['a version alone', { appVersion: '3.0' }, { appVersion: '3.0', buildNumber: '498' }],
    ['a build number alone', { buildNumber: '500' }, { appVersion: '2.4.0', buildNumber: '500' }],
    ['no build number', { buildNumber: null }, { appVersion: '2.4.0', buildNumber: null }],
    ['neither', { appVersion: null, buildNumber: null }, null],
    ['null', null, null],
  ])('merges %s into the release of a fix', (_, fixedIn, merged) => {
    const fixed = { ...issue, fixedIn: { appVersion: '2.4.0', buildNumber: '498' } }
    expect(changeIssue(fixed, { fixedIn }, circumstances)).toMatchObject({
      kind: 'changed',
      issue: { fixedIn: merged },
    })
  })

  it.each([
    [
      'takes the version away from a build',
      { appVersion: '2.4.0', buildNumber: '498' },
      { appVersion: null },
    ],
    ['has a build of no version', null, { buildNumber: '498' }],
  ])('refuses a patch that %s', (_, before, fixedIn) => {
    const decision = changeIssue({ ...issue, fixedIn: before }, { fixedIn }, circumstances)
    expect(decision).toEqual({ kind: 'incomplete-fix' })
  })

  it('does nothing if a patch of the fix changes no value', () => {
    const fixed = { ...issue, fixedIn: { appVersion: '2.4.0', buildNumber: '498' } }
    for (const fixedIn of [{}, { buildNumber: '498' }]) {
      expect(changeIssue(fixed, { fixedIn }, circumstances)).toEqual({
        kind: 'unchanged',
      })
    }
  })

  it('checks the table of transitions first', () => {
    const final = { ...issue, status: 'closed' } as const
    const decision = changeIssue(final, { status: 'resolved', title: 'New' }, circumstances)
    expect(decision).toEqual({ kind: 'invalid-transition', from: 'closed', to: 'resolved' })
  })

  it('keeps the names of labels in the history, as they are now, without deleted ones', () => {
    const labelled = { ...issue, labels: [1, 2] }
    const labelNames = { 1: 'ui', 3: 'needs design' }
    expect(changeIssue(labelled, { labels: [1, 3] }, { ...circumstances, labelNames })).toMatchObject({
      issue: { labels: [1, 3], version: 2 },
      event: {
        type: 'issue.updated',
        changes: [{ member: 'labels', from: ['ui'], to: ['ui', 'needs design'] }],
      },
    })
    expect(changeIssue(labelled, { labels: [1, 2] }, circumstances)).toEqual({ kind: 'unchanged' })
  })

  describe('its assignee', () => {
    const [ada, bob] = [mintUnshardedId('usr', 0), mintUnshardedId('usr', 1)]
    const hidden = { ...issue, category: 'security', assigneeId: ada } as const
    const change = (from: StoredIssue, patch: IssuePatch, more: object = {}) =>
      changeIssue(from, patch, { ...circumstances, ...more })

    it('is recorded with the previous assignee', () => {
      const decision = change({ ...issue, assigneeId: ada }, { assigneeId: bob })
      expect(decision).toMatchObject({
        issue: { assigneeId: bob },
        event: { type: 'issue.updated', changes: [{ member: 'assigneeId', from: ada, to: bob }] },
      })
      expect(change({ ...issue, assigneeId: ada }, { assigneeId: ada })).toEqual({ kind: 'unchanged' })
    })

    it.each([
      ['moves into the lane', { ...issue, assigneeId: ada }, { category: 'security' }, null, null],
      ['moves with one who sees it', { ...issue, assigneeId: ada }, { category: 'security' }, ada, ada],
      ['is in the lane, and changes otherwise', hidden, { priority: 'low' }, null, ada],
      ['leaves the lane', hidden, { category: 'bug' }, null, ada],
      ['is in the lane, and given to one who sees it', hidden, { assigneeId: bob }, bob, bob],
    ] as const)('is right after an issue %s', (_, from, patch, laneAssignee, assigneeId) => {
      expect(change(from, patch, { laneAssignee })).toMatchObject({ kind: 'changed', issue: { assigneeId } })
    })

    it('is refused for a hidden issue they may not see, and only to a caller who sees it', () => {
      expect(change(hidden, { assigneeId: bob })).toEqual({ kind: 'assignee-refused' })
      const patch = { assigneeId: bob, category: 'security' } as const
      expect(change(issue, patch)).toEqual({ kind: 'assignee-refused' })
      expect(change(issue, patch, { seesSecurity: false })).toMatchObject({ issue: { assigneeId: null } })
    })
  })

  describe('what is published about it', () => {
    const known = { title: 'Blank screen', text: 'Turn the phone.' }
    const published: StoredIssue = { ...issue, known }
    const change = (from: StoredIssue, patch: IssuePatch, more: object = {}) =>
      changeIssue(from, patch, { ...circumstances, ...more })

    it.each([
      ['is published', issue, { known }, known, null, 'Blank screen'],
      ['is published without a text', issue, { known: { title: 'A' } }, { title: 'A', text: '' }, null, 'A'],
      [
        'gets another title',
        published,
        { known: { title: 'B' } },
        { ...known, title: 'B' },
        known.title,
        'B',
      ],
      [
        'gets another text',
        published,
        { known: { text: '' } },
        { ...known, text: '' },
        known.title,
        known.title,
      ],
      ['is unpublished', published, { known: null }, null, known.title, null],
    ] as const)('is stored, and its title recorded, if it %s', (_, before, patch, after, from, to) => {
      expect(change(before, patch)).toMatchObject({
        kind: 'changed',
        issue: { known: after, version: 2 },
        event: { type: 'issue.updated', changes: [{ member: 'known', from, to }] },
      })
    })

    it('ends when the issue moves into the security lane', () => {
      expect(change(published, { category: 'security' })).toMatchObject({
        issue: { category: 'security', known: null },
        event: {
          changes: [
            { member: 'category', from: 'bug', to: 'security' },
            { member: 'known', from: known.title, to: null },
          ],
        },
      })
      expect(change({ ...issue, category: 'security' }, { category: 'bug', known })).toMatchObject({
        issue: { known },
      })
    })

    it.each([
      ['has no title', issue, { known: { text: 'A text' } }, 'no-title'],
      ['takes the title away', published, { known: { title: null } }, 'no-title'],
      ['is about a hidden issue', { ...issue, category: 'security' }, { known }, 'security'],
      ['hides the issue, too', published, { known, category: 'security' }, 'security'],
      ['is about spam', { ...issue, spamAt: at }, { known }, 'spam'],
    ] as const)('cannot be changed by a patch that %s', (_, before, patch, reason) => {
      expect(change(before, patch)).toEqual({ kind: 'not-published', reason })
    })

    it('is bounded in number, but what is published can be changed and unpublished', () => {
      const full = { canPublish: false }
      expect(change(issue, { known }, full)).toEqual({ kind: 'not-published', reason: 'too-many' })
      expect(change(published, { known: { title: 'B' } }, full)).toMatchObject({ kind: 'changed' })
      expect(change(published, { known: null }, full)).toMatchObject({ kind: 'changed' })
      expect(change(published, { known }, full)).toEqual({ kind: 'unchanged' })
    })
  })
})
