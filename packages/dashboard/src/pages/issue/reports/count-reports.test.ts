import type { Report } from '@bugle/contract'
import { expect, it } from 'vitest'
import { countReports, shorten } from './count-reports.ts'

const report = (changes: Partial<Report>): Report => ({
  id: 'rep_06dg2c4q0xg0n8v0a5k9m3r7tw',
  issueId: 'iss_06dg2c4q0xg0n8v0a5k9m3r7tw',
  issueNumber: 1,
  reportNumber: 1,
  title: 'Blank',
  description: null,
  textNumber: 1,
  textOmitted: false,
  textOmittedReason: null,
  exception: null,
  metadata: null,
  context: null,
  reporter: null,
  reporterId: null,
  isReporterBlocked: false,
  sdk: null,
  submissionId: null,
  attachments: [],
  receivedAt: '2026-11-15T09:31:12.345Z',
  occurredAt: null,
  appVersion: null,
  buildNumber: null,
  osVersion: null,
  deviceModel: null,
  platform: null,
  branch: null,
  ...changes,
})

it('counts where reports came from, most frequent first', () => {
  const reports = [
    report({ appVersion: '2.0', platform: 'ios' }),
    report({ appVersion: '2.1', platform: 'ios' }),
    report({ appVersion: '2.1', platform: 'toaster' }),
    report({}),
  ]
  expect(countReports(reports)).toEqual({
    versions: [
      { name: '2.1', count: 2 },
      { name: '2.0', count: 1 },
      { name: 'Unknown', count: 1 },
    ],
    platforms: [
      { name: 'iOS', count: 2 },
      { name: 'toaster', count: 1 },
      { name: 'Unknown', count: 1 },
    ],
    systems: [{ name: 'Unknown', count: 4 }],
    devices: [{ name: 'Unknown', count: 4 }],
  })
  expect(countReports([]).versions).toEqual([])
})

it('combines a long tail into one entry', () => {
  const tallies = [5, 3, 2, 1].map((count) => ({ name: `${count}`, count }))
  expect(shorten(tallies, 4)).toBe(tallies)
  expect(shorten(tallies, 3)).toEqual([
    { name: '5', count: 5 },
    { name: '3', count: 3 },
    { name: '2 others', count: 3 },
  ])
})
