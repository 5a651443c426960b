import { describe, expect, it } from 'vitest'
import { FAN_OUT_STEP_EVENTS, planFanOut } from './plan-fan-out.ts'

const ALL = { eventTypes: null, includeSecurity: true }
const OPEN = { eventTypes: null, includeSecurity: false }
const EVENTS = [
  { position: 11, type: 'issue.created', lane: 'open' },
  { position: 13, type: 'issue.created', lane: 'security' },
  { position: 14, type: 'issue.deleted', lane: 'open' },
] as const

describe('fanning out', () => {
  it.each([
    ['everything', ALL, [11, 13, 14]],
    ['the open lane', OPEN, [11, 14]],
    ['some types', { ...ALL, eventTypes: ['issue.deleted'] as const }, [14]],
    ['nothing', { ...OPEN, eventTypes: ['webhook.paused'] as const }, []],
  ])('selects %s, and reads everything', (_, webhook, positions) => {
    expect(planFanOut(webhook, { events: EVENTS, end: 15, pending: 0 })).toEqual({ positions, position: 15 })
  })

  it.each([
    [998, [11, 14], 15],
    [999, [11], 13],
    [1_000, [], 10],
    [1_200, [], 10],
  ])('stops when there is no more room, with %i pending', (pending, positions, position) => {
    expect(planFanOut(OPEN, { events: EVENTS, end: 15, pending })).toEqual({ positions, position })
  })

  it('skips a regression until it is confirmed', () => {
    const regression = { position: 11, type: 'issue.regressed', lane: 'open' } as const
    const events = [
      { ...regression, confirmed: false },
      { ...regression, position: 12, confirmed: true },
    ]
    expect(planFanOut(ALL, { events, end: 12, pending: 0 })).toEqual({ positions: [12], position: 12 })
  })

  it('continues after a full step', () => {
    const events = Array.from({ length: FAN_OUT_STEP_EVENTS }, (_, index) => ({
      position: 2 * index + 1,
      type: 'issue.created' as const,
      lane: 'security' as const,
    }))
    expect(planFanOut(OPEN, { events, end: 9_999, pending: 0 })).toEqual({ positions: [], position: 399 })
  })
})
