import { expect, test } from 'vitest'
import { createCrashLimit } from './crash-limit.ts'

test('one minute has room for ten kinds of failures, and for each of them once', () => {
  const judge = createCrashLimit()
  const kinds = Array.from({ length: 12 }, (_, kind) => `kind ${kind}`)
  expect(kinds.map((kind) => judge(kind, 100_000))).toEqual([
    ...Array(10).fill(undefined),
    'rate-limited',
    'rate-limited',
  ])
  expect(judge('kind 0', 130_000)).toBe('repeated')
  expect(judge('kind 0', 161_000)).toBeUndefined()
})

test('a clock that is set back does not silence it', () => {
  const judge = createCrashLimit()
  judge('kind', 1_000_000)
  expect(judge('kind', 0)).toBeUndefined()
})
