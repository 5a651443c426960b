import { describe, expect, it } from 'vitest'
import { commonMoves } from './common-moves.ts'

describe('common moves', () => {
  it('are those that every issue may make', () => {
    const statuses = commonMoves([{ status: 'open' }, { status: 'acknowledged' }])
    expect(statuses).toEqual(['in_progress', 'resolved', 'closed', 'wontfix'])
  })

  it('leave only the way back among final ones, and none between final and active', () => {
    expect(commonMoves([{ status: 'resolved' }, { status: 'closed' }])).toEqual(['open'])
    expect(commonMoves([{ status: 'resolved' }, { status: 'open' }])).toEqual([])
  })

  it('are none for nothing', () => {
    expect(commonMoves([])).toEqual([])
  })
})
