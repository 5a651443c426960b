import { describe, expect, it } from 'vitest'
import { commonMoves } from './common-moves.ts'

describe('common moves', () => {
  it('are those that every issue allows', () => {
    const statuses = commonMoves([{ status: 'open' }, { status: 'acknowledged' }])
    expect(statuses).toEqual(['in_progress', 'resolved', 'closed', 'wontfix'])
  })

  it('are only "open" for finished issues, and none for finished and active ones together', () => {
    expect(commonMoves([{ status: 'resolved' }, { status: 'closed' }])).toEqual(['open'])
    expect(commonMoves([{ status: 'resolved' }, { status: 'open' }])).toEqual([])
  })

  it('are none if one of the issues is a duplicate', () => {
    expect(commonMoves([{ status: 'closed' }, { status: 'closed', duplicateOf: 'iss_1' }])).toEqual([])
  })

  it('are none for an empty selection', () => {
    expect(commonMoves([])).toEqual([])
  })
})
