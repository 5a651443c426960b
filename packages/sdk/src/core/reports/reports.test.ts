import { describe, expect, test } from 'vitest'
import type { Report, ReportContent } from '../types.ts'
import { composeReport, mendReport } from './reports.ts'

const OTHER_FIELDS = {
  publicKey: 'bgl_pub_test',
  submissionId: 'id',
  occurredAt: '2026-11-15T12:00:00.000Z',
  sdk: { name: 'test', version: '0' },
}

function compose(content: ReportContent): { report: Report; trimmed: readonly string[] } {
  const trimmed: string[] = []
  return { report: composeReport(content, OTHER_FIELDS, trimmed), trimmed }
}

describe('a composed report', () => {
  test('is cut to the limits of the server, by whole characters, and records that', () => {
    const { report, trimmed } = compose({
      title: '😀'.repeat(300),
      description: 'd'.repeat(40_000),
      branch: 'b'.repeat(300),
      platform: 'p'.repeat(32),
    })
    expect([...report.title]).toHaveLength(256)
    expect(report.title.endsWith('😀')).toBe(true)
    expect(report.description).toHaveLength(32_768)
    expect(report.branch).toHaveLength(255)
    expect(trimmed).toEqual(['title', 'description', 'branch'])
  })

  test('has no NUL, which the server would refuse', () => {
    expect(compose({ title: 'a\0b' })).toMatchObject({ report: { title: 'ab' }, trimmed: [] })
  })

  test('contains only the known fields of the input', () => {
    const content = { title: 't', appVersion: '1', buildNumber: '', publicKey: 'x', endpoint: 'y' }
    expect(compose(content).report).toEqual({ title: 't', appVersion: '1', ...OTHER_FIELDS })
  })

  test('omits only the metadata values that the server would refuse', () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const metadata = {
      screen: 'settings',
      retries: 3,
      isTrial: false,
      zero: 0,
      empty: '',
      long: 'x'.repeat(2_000),
      absent: undefined,
      nothing: null,
      circular,
      size: 10n,
      share: Number.NaN,
      run: () => {},
      '': 'no name',
      ['n'.repeat(65)]: 'long name',
    } as unknown as Report['metadata']
    const { report, trimmed } = compose({ title: 't', metadata })
    expect(report.metadata).toEqual({
      screen: 'settings',
      retries: 3,
      isTrial: false,
      zero: 0,
      empty: '',
      long: 'x'.repeat(1_024),
    })
    const removed = ['long', 'nothing', 'circular', 'size', 'share', 'run', '', 'n'.repeat(65)]
    expect(trimmed).toEqual(removed.map((name) => `metadata.${name}`))
  })

  test.each([undefined, null, {}, { a: null }])('has no metadata for %j', (metadata) => {
    expect(compose({ title: 't', metadata } as never).report).toEqual({ title: 't', ...OTHER_FIELDS })
  })

  test('has at most 50 values in its metadata', () => {
    const metadata = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key ${index}`, index]))
    const { report, trimmed } = compose({ title: 't', metadata })
    expect(Object.keys(report.metadata ?? {})).toHaveLength(50)
    expect(trimmed).toHaveLength(10)
  })
})

describe('a report that was refused', () => {
  const REPORT: Report = {
    title: 'Title',
    category: 'odd',
    description: 'd'.repeat(5_000),
    exception: [{ type: 'Error' }, { type: 'Error' }],
    metadata: { screen: 'settings', plan: 'pro', 'bugle.dropped.repeated': 7 },
    ...OTHER_FIELDS,
  }

  function mend(status: number, body?: unknown, report = REPORT) {
    const mended = mendReport(report, { status, body })
    // As it is sent.
    return mended && JSON.parse(JSON.stringify(mended))
  }

  test('as too large loses its metadata and most of its description, but not the counts of losses', () => {
    expect(mend(413)).toEqual([
      {
        ...REPORT,
        description: 'd'.repeat(4_096),
        metadata: { 'bugle.dropped.repeated': 7 },
      },
      ['metadata', 'description'],
    ])
    expect(mend(413, {}, { title: 'Short', ...OTHER_FIELDS })).toBeUndefined()
  })

  test.each<[pointers: string[], lost: object, trimmed: string[]]>([
    [['#/category'], { category: undefined }, ['category']],
    [['#/exception/0/stack'], { exception: undefined }, ['exception.0.stack']],
    [['#/metadata/screen'], { metadata: { plan: 'pro', 'bugle.dropped.repeated': 7 } }, ['metadata.screen']],
    [
      ['#/metadata/plan', '#/metadata/screen'],
      { metadata: { 'bugle.dropped.repeated': 7 } },
      ['metadata.plan', 'metadata.screen'],
    ],
    [['#/metadata'], { metadata: { 'bugle.dropped.repeated': 7 } }, ['metadata']],
  ])('for %j loses only that', (pointers, lost, trimmed) => {
    const body = { requestId: 'req_1', errors: pointers.map((pointer) => ({ pointer })) }
    expect(mend(422, body)).toEqual([JSON.parse(JSON.stringify({ ...REPORT, ...lost })), trimmed])
  })

  test('because of its title, or as a whole, cannot be fixed', () => {
    expect(mend(422, { requestId: 'req_1', errors: [{ pointer: '#/title' }] })).toBeUndefined()
    expect(mend(422, { requestId: 'req_1', errors: [] })).toBeUndefined()
    expect([400, 500].map((status) => mend(status))).toEqual([undefined, undefined])
  })

  test.each([
    undefined,
    null,
    'text',
    { errors: null },
    { errors: 7 },
    { errors: { title: ['is odd'] } },
    { errors: [{ pointer: '#/description' }] },
  ])('by a response that is not from Bugle, %j, stays as it is', (body) => {
    expect(mend(422, body)).toBeUndefined()
  })
})
