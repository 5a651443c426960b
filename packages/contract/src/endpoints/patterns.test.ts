import { describe, expect, it } from 'vitest'
import { endpoints } from '../index.ts'

const LENGTH = 200_000
/** Texts that make a careless pattern backtrack through every alternative before it fails. */
const HOSTILE = ['a', ' ', '@', '-', '.', 'a@', 'a ', '\u0301'].flatMap((piece) =>
  ['\u0000', '\n', ' ', '!', '@'].map((end) => piece.repeat(LENGTH / piece.length) + end),
)
const PATTERNS = [...new Set(Object.values(endpoints).flatMap(patternsIn))]

describe('the patterns of the contract', () => {
  it('are found', () => {
    expect(PATTERNS.length).toBeGreaterThan(5)
  })

  it.each(PATTERNS)('%j matches any body in linear time', (pattern) => {
    const regex = new RegExp(pattern, 'u')
    const before = process.cpuUsage()
    for (const text of HOSTILE) regex.test(text)
    expect(process.cpuUsage(before).user / 1_000 / HOSTILE.length).toBeLessThan(100)
  })
})

function patternsIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  )
}
