import { describe, expect, it } from 'vitest'
import { mintUnshardedId } from '../ids.ts'
import type { StoredIssue } from '../issues.ts'
import { normaliseSubmission } from '../report-content.ts'
import { changeIssue, moveIssue } from './change-issue.ts'

const issue: StoredIssue = {
  ...normaliseSubmission({ title: 'Blank screen', fingerprint: 'f' }),
  id: mintUnshardedId('iss', 0),
  projectId: mintUnshardedId('prj', 0),
  issueNumber: 1,
  status: 'open',
  submissionId: null,
  reportCount: 1,
  lastReportedAt: 0,
  fixedIn: null,
  resolvedAt: null,
  unconfirmedVersion: null,
  firstLeftOpenAt: null,
  firstResolvedAt: null,
  createdAt: 0,
  updatedAt: 0,
  version: 1,
}
const at = 5_000

describe('changing an issue', () => {
  it('keeps the moments that follow from its moves', () => {
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
    const decision = changeIssue(issue, { category }, { at, isFingerprintTaken })
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
    expect(changeIssue(fixed, { fixedIn }, { at, isFingerprintTaken: false })).toMatchObject({
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
    const decision = changeIssue(
      { ...issue, fixedIn: before },
      { fixedIn },
      { at, isFingerprintTaken: false },
    )
    expect(decision).toEqual({ kind: 'incomplete-fix' })
  })

  it('does nothing for a patch of a fix that says what is so already', () => {
    const fixed = { ...issue, fixedIn: { appVersion: '2.4.0', buildNumber: '498' } }
    for (const fixedIn of [{}, { buildNumber: '498' }]) {
      expect(changeIssue(fixed, { fixedIn }, { at, isFingerprintTaken: false })).toEqual({
        kind: 'unchanged',
      })
    }
  })

  it('decides by the table of transitions, before anything else', () => {
    const final = { ...issue, status: 'closed' } as const
    const decision = changeIssue(
      final,
      { status: 'resolved', title: 'New' },
      { at, isFingerprintTaken: false },
    )
    expect(decision).toEqual({ kind: 'invalid-transition', from: 'closed', to: 'resolved' })
  })
})
