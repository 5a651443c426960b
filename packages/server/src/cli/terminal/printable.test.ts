import { expect, it } from 'vitest'
import { jsonText } from './printable.ts'

it.each([
  ['C1', 'a\u009b31mb\u0080\u009f'],
  ['DEL', '\u007f'],
  ['line separators', '\u2028\u2029'],
  ['directions', '\u202e\u2066'],
  ['beyond 16 bits', '\u{e0001}'],
])('JSON for a terminal escapes %s, and means the same', (_, text) => {
  const value = { [text]: [text, 'as it is: Grüße, 世界, 🎺'] }
  for (const json of [jsonText(value), jsonText(value, 2)]) {
    expect(JSON.parse(json)).toEqual(value)
    expect(json).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u)
    expect(json).toContain('as it is: Grüße, 世界, 🎺')
  }
})
