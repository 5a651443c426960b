import { expect, test } from 'vitest'
import { mendReport } from './mend-report.ts'
import type { Report } from './types.ts'

const REPORT: Report = {
  title: 'Title',
  category: 'odd',
  description: 'd'.repeat(5_000),
  metadata: { screen: 'settings' },
  submissionId: 'id',
  occurredAt: '2026-11-15T12:00:00.000Z',
  sdk: { name: 'test', version: '0' },
}

function mend(status: number, body?: unknown): object | undefined {
  const mended = mendReport(REPORT, { status, body })
  // As it is sent.
  return mended && JSON.parse(JSON.stringify(mended))
}

test('a report that is too large loses its metadata and most of its description', () => {
  const { metadata: _, ...rest } = REPORT
  expect(mend(413)).toEqual({ ...rest, description: 'd'.repeat(4_096) })
})

test('a report with faults loses the members that have them', () => {
  const { metadata: _, category: __, ...rest } = REPORT
  expect(mend(422, { errors: [{ pointer: '#/category' }, { pointer: '#/metadata/screen' }] })).toEqual(rest)
})

test('a report whose title is refused, or that is refused as it is, can not be mended', () => {
  expect(mend(422, { errors: [{ pointer: '#/title' }] })).toBeUndefined()
  expect([400, 500].map((status) => mend(status))).toEqual([undefined, undefined])
})

test.each([
  undefined,
  null,
  'text',
  { errors: null },
  { errors: 7 },
  { errors: { title: ['is odd'] } },
  { errors: [null, {}, { pointer: 7 }] },
])('an answer that is not the one of our server, %j, changes nothing', (body) => {
  expect(mend(422, body)).toEqual(REPORT)
})
