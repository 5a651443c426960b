import type { IssueSubmission } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { hashContent, isSameContent } from './content-hashes.ts'
import { normaliseSubmission } from './reports.ts'

/** With the hashes that 0.1.0 stored and that this release stores. Neither may ever change. */
const STORED: readonly (readonly [submission: IssueSubmission, of010: string, now: string])[] = [
  [
    { title: 'Settings screen stays blank' },
    'b99ff546a051d08436e37cfdc4f409de',
    '02cc7d71ecc190b475459651f0d4dcc6f5',
  ],
  [
    {
      title: 'Crash on start',
      description: 'Stack:\n<script>',
      category: 'crash',
      priority: 'high',
      appVersion: '2.4.1',
      buildNumber: '512',
      osVersion: 'iOS 26.1',
      deviceModel: 'iPhone 17',
      platform: 'iOS',
      branch: 'release/2.4',
      fingerprint: 'f1',
      occurredAt: '2026-11-15T10:00:00.5+01:00',
      metadata: { z: 1, locale: 'de-CH', free: 12.5, isPro: false, 10: 'ten' },
      sdk: { name: '@bugle/sdk', version: '0.1.0' },
    },
    'a31b0f236b458c6a8407a849ab29f8c1',
    '024bee9ee603c47701b410376865cc842d',
  ],
  [
    { title: 'Größe „7“ 🌒', metadata: {}, platform: null, category: 'security' },
    'd966e837da973a5195534f397973e861',
    '0262aef47497436a7f607e7835702b890d',
  ],
]

function reportOf(submission: IssueSubmission, added: object = {}) {
  const content = { ...normaliseSubmission(submission), ...added }
  return { content, submission: { id: 'one', contentHash: hashContent(content) } }
}

describe('a content hash', () => {
  it.each(STORED)('matches the stored one: %j', (submission, of010, now) => {
    const report = reportOf(submission)
    expect(report.submission.contentHash).toBe(now)
    expect(isSameContent(now, report)).toBe(true)
    expect(isSameContent(of010, report)).toBe(true)
  })

  it.each(STORED)('differs from that of other content: %j', (submission, of010, now) => {
    const others = [
      reportOf({ ...submission, title: 'Another' }),
      reportOf({ ...submission, metadata: { other: true } }),
      reportOf({ ...submission, branch: 'another' }),
    ]
    for (const other of others) {
      expect([isSameContent(of010, other), isSameContent(now, other)]).toEqual([false, false])
    }
  })

  it.each(STORED)('does not change when a new field is absent: %j', (submission, of010, now) => {
    const later = reportOf(submission, { addedLater: null })
    expect(later.submission.contentHash).toBe(now)
    expect(isSameContent(of010, later)).toBe(true)
    const said = reportOf(submission, { addedLater: 'said' })
    expect([isSameContent(of010, said), isSameContent(now, said)]).toEqual([false, false])
  })

  it('does not depend on the order of fields, nor on explicit null or default values', () => {
    const metadata = { a: 1, b: 'two' }
    const one = reportOf({ title: 'x', metadata }).submission
    const other = reportOf({
      metadata: { b: 'two', a: 1 },
      title: 'x',
      description: null,
      category: 'bug',
      priority: 'medium',
    }).submission
    expect(other).toEqual(one)
  })

  it('differs for contents whose concatenated texts are equal', () => {
    const hashes = [
      { title: 'x', description: 'y' },
      { title: 'xy' },
      { title: 'x', branch: 'y' },
      { title: 'x', metadata: { description: 'y' } },
      { title: 'x', metadata: { description: 'y', z: 1 } },
      { title: 'x', metadata: { z: '1', description: 'y' } },
    ].map((submission) => reportOf(submission).submission.contentHash)
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
