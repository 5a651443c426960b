import { expect, it } from 'vitest'
import { createColours, NO_COLOURS } from './colours.ts'
import { readable } from './log-lines.ts'

const TIME = new Date(2026, 10, 16, 9, 5, 7).getTime()

it.each<[entry: object, text: string]>([
  [{ level: 30, time: TIME, reason: 'SIGTERM', msg: 'stopping' }, '09:05:07 info  stopping reason=SIGTERM'],
  [
    { level: 40, time: TIME, req: { method: 'GET', url: '/v1/issues' }, ms: 3, msg: 'slow' },
    '09:05:07 warn  slow req.method=GET req.url=/v1/issues ms=3',
  ],
  [
    { level: 50, time: TIME, err: { message: 'x', stack: 'Error: x\n    at y' }, msg: 'request failed' },
    '09:05:07 error request failed\n  Error: x\n      at y',
  ],
])('shows a log entry %j', (entry, text) => {
  expect(readable(`${JSON.stringify(entry)}\n`, NO_COLOURS)).toBe(text)
})

it('escapes text from a hostile request', () => {
  const hostile = '\u001b[2J\u009b31m\u202e'
  const entry = { level: 50, time: TIME, [hostile]: hostile, err: { stack: `a\n${hostile}` }, msg: hostile }
  for (const line of [JSON.stringify(entry), hostile]) {
    const text = readable(line, NO_COLOURS)
    expect(text).toContain('\\u{1b}[2J')
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  }
})

it('colours the level', () => {
  const line = JSON.stringify({ level: 50, time: TIME, msg: 'request failed' })
  expect(readable(line, createColours(true))).toContain('\u001b[31merror\u001b[39m request failed')
})
