import { describe, expect, it } from 'vitest'
import { mintId, mintUnshardedId, projectNumberOf } from '../../../model/ids.ts'
import { hashContent } from '../../../model/reports/content-hashes.ts'
import type { NewReport } from '../../../model/reports/reports.ts'
import { normaliseSubmission } from '../../../model/reports/reports.ts'
import type { WriteCall, WriteResult } from '../writer/writer.ts'
import { packCalls, packResults, unpackCalls, unpackResults } from './pack-calls.ts'

const projectId = mintUnshardedId('prj', 1)
const bare: NewReport = {
  projectId,
  issueId: mintId('iss', 2, projectNumberOf(projectId)),
  receivedAt: 2,
  actor: null,
  lanes: ['open'],
  content: normaliseSubmission({ title: 'Settings ☃ stay blank' }),
  submission: null,
  onDefaultBranch: null,
  sender: null,
  isSpam: false,
}
const content = normaliseSubmission({
  title: 'Everything',
  description: 'Said\nin full 👍',
  category: 'security',
  priority: 'high',
  appVersion: '2.4.1',
  buildNumber: '512',
  osVersion: 'iOS 26.1',
  deviceModel: 'iPhone 17',
  platform: 'ios',
  branch: 'release/2.4',
  fingerprint: 'crash-1',
  occurredAt: '2026-11-15T09:30:00Z',
  metadata: { locale: 'de-DE', memoryMb: 512, isLow: true },
  sdk: { name: 'bugle-js', version: '0.1.0' },
})
const full: NewReport = {
  ...bare,
  actor: mintUnshardedId('key', 3),
  lanes: ['open', 'security'],
  content,
  onDefaultBranch: true,
  sender: 'a',
  isSpam: true,
  submission: { id: 'sub-1', contentHash: hashContent(content) },
}
const calls: readonly WriteCall[] = [
  ['submitReport', bare],
  ['probe'],
  ['expireSomeEvents', projectId, 7],
  ['submitReport', full],
]

/** As the other thread receives it. */
function cross<T>(message: T): T {
  return structuredClone(message)
}

describe('messages to another thread', () => {
  it('preserve every call', () => {
    const arrived = unpackCalls(cross(packCalls(calls)))
    expect(arrived).toEqual(calls)
  })

  it('preserve every result', () => {
    const stored = { issueId: bare.issueId, issueNumber: 41, status: 'open', createdAt: 2, receivedAt: 2 }
    const receipt = { ...stored, reportCount: 1 }
    const joined = { ...receipt, status: 'resolved', createdAt: 1, reportCount: 9 }
    const results: readonly WriteResult[] = [
      { value: { kind: 'stored', receipt } },
      { value: undefined },
      { fault: 'disk full', external: 'The disk of the database is full.', report: 'disk I/O error' },
      { value: { kind: 'joined', receipt: joined } },
    ]
    expect(unpackResults(cross(packResults(results)), calls)).toEqual(results)
  })
})
