import { describe, expect, it } from 'vitest'
import { isNestedDeeperThan } from './nesting.ts'

describe('nesting', () => {
  it.each([
    ['{}', 1],
    ['[[[]]]', 3],
    ['{"a":{"b":[1,2,{"c":null}]}}', 4],
    ['[[],[[]],{"a":{}}]', 3],
    ['["[[[["]', 1],
    [String.raw`["[\"[[{\\",[]]`, 2],
    [String.raw`{"\\":"[{","a\"[":[]}`, 2],
    ['[ "é[🐞{" , [ ] ]', 2],
  ])('of %s is %d levels', (json, depth) => {
    const bytes = Buffer.from(json)
    expect(isNestedDeeperThan(depth, bytes)).toBe(false)
    expect(isNestedDeeperThan(depth - 1, bytes)).toBe(true)
  })
})
