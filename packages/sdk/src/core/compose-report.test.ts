import { describe, expect, test } from 'vitest'
import { composeReport } from './compose-report.ts'

const REST = {
  submissionId: 'id',
  occurredAt: '2026-11-15T12:00:00.000Z',
  metadata: undefined,
  sdk: { name: 'test', version: '0' },
}

describe('a composed report', () => {
  test('is cut to the limits of the server, by characters and not by halves of them', () => {
    const { title, description, branch } = composeReport(
      { title: '😀'.repeat(300), description: 'd'.repeat(40_000), branch: 'b'.repeat(300) },
      REST,
    )
    expect([...title]).toHaveLength(256)
    expect(title.endsWith('😀')).toBe(true)
    expect(description).toHaveLength(32_768)
    expect(branch).toHaveLength(255)
  })

  test('has no NUL, which the server would refuse', () => {
    expect(composeReport({ title: 'a\0b' }, REST).title).toBe('ab')
  })

  test('takes what is there, and nothing else that an object brings along', () => {
    const content = { title: 't', appVersion: '1', buildNumber: '', publicKey: 'x', endpoint: 'y' }
    expect(composeReport(content, REST)).toEqual({ title: 't', appVersion: '1', ...REST })
  })
})
