import { describe, expect, it } from 'vitest'
import {
  isNarrowed,
  NO_FILTERS,
  nameOfFilters,
  readFilters,
  toggle,
  toQuery,
  writeFilters,
} from './filters.ts'

describe('filters', () => {
  it('survive a round trip through the address', () => {
    const filters = {
      ...NO_FILTERS,
      q: 'blank "settings screen"',
      status: ['open', 'in_progress'],
      platform: ['ios'],
      appVersion: ['1.0,beta', '2.0'],
      branch: ['release/2.4', 'feature\\x'],
      osVersion: ['iOS 26.1'],
      deviceModel: ['iPhone 17, red'],
      buildNumber: ['512'],
      fingerprint: ['crash, at start'],
      reporter: ['4711', 'ada@example.com'],
      conversation: ['waiting-for-team'],
      onDefaultBranch: false,
      createdAfter: '2026-11-01T00:00:00.000Z',
      updatedBefore: '2026-11-02T00:00:00.000Z',
      sort: 'reports',
    } as const
    expect(readFilters(writeFilters(filters))).toEqual(filters)
  })

  it('are omitted from the address if they are not set', () => {
    expect(writeFilters(NO_FILTERS)).toEqual({})
    expect(nameOfFilters({ ...NO_FILTERS, status: ['open'] })).toBe('status=open')
  })

  it('have the same name in any order of the address', () => {
    const one = readFilters({ status: 'closed,open', q: 'a', sort: 'newest' })
    const other = readFilters({ q: 'a', status: 'open,closed' })
    expect(nameOfFilters(one)).toBe(nameOfFilters(other))
  })

  it.each([
    ['a status that does not exist', { status: 'lost,open' }, { status: ['open'] }],
    ['an order that does not exist', { sort: 'random' }, { sort: 'newest' }],
    ['what is neither true nor false', { onDefaultBranch: 'yes' }, { onDefaultBranch: null }],
    ['an invalid time', { createdAfter: 'yesterday' }, { createdAfter: null }],
    ['empty values and repeats', { platform: ',ios,,ios, web' }, { platform: ['ios', 'web'] }],
  ])('ignore %s', (_, search, read) => {
    expect(readFilters(search)).toEqual({ ...NO_FILTERS, ...read })
  })

  it('accept no more values than the API', () => {
    const versions = Array.from({ length: 30 }, (_, index) => `1.${index}`)
    expect(readFilters({ appVersion: versions.join() }).appVersion).toHaveLength(20)
  })

  it('are a query of the API, without filters that are not set', () => {
    const query = toQuery(readFilters({ q: '  ', status: 'open', createdBefore: '2026-11-01' }))
    expect(JSON.parse(JSON.stringify(query))).toEqual({
      status: ['open'],
      createdBefore: '2026-11-01T00:00:00.000Z',
      sort: 'newest',
    })
  })

  it('count as filters except for status and order', () => {
    expect(isNarrowed(readFilters({ status: 'open', sort: 'reports' }))).toBe(false)
    expect(isNarrowed(readFilters({ branch: 'main' }))).toBe(true)
  })

  it('toggle a value', () => {
    expect(toggle(['a'], 'b')).toEqual(['a', 'b'])
    expect(toggle(['a', 'b'], 'a')).toEqual(['b'])
  })
})
