import { describe, expect, it } from 'vitest'
import { findExcess } from './json-bounds.ts'

describe('bounds of JSON', () => {
  it.each([
    ['{}', 1],
    ['[[[]]]', 3],
    ['{"a":{"b":[1,2,{"c":null}]}}', 4],
    ['[[],[[]],{"a":{}}]', 3],
    ['["[[[["]', 1],
    [String.raw`["[\"[[{\\",[]]`, 2],
    [String.raw`{"\\":"[{","a\"[":[]}`, 2],
    ['[ "é[🐞{" , [ ] ]', 2],
  ])('%s is nested %d levels deep', (json, depth) => {
    const bytes = Buffer.from(json)
    expect(findExcess(bytes, { maxDepth: depth, maxValues: 100 })).toBeUndefined()
    expect(findExcess(bytes, { maxDepth: depth - 1, maxValues: 100 })).toBe('maxDepth')
  })

  it.each([
    ['[]', 2],
    ['[1,2]', 3],
    ['{"a":1,"b":[{},{}]}', 7],
    ['[",,[",1]', 3],
  ])('%s counts as %d values', (json, values) => {
    const bytes = Buffer.from(json)
    expect(findExcess(bytes, { maxDepth: 100, maxValues: values })).toBeUndefined()
    expect(findExcess(bytes, { maxDepth: 100, maxValues: values - 1 })).toBe('maxValues')
  })
})
