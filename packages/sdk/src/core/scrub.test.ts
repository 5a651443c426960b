import { expect, test } from 'vitest'
import { scrub } from './scrub.ts'

test.each([
  ['https://a.example/p?q=1&token=x#frag', 'https://a.example/p'],
  ['at f (https://a.example/x.js?v=1:2:3)', 'at f (https://a.example/x.js:2:3)'],
  ['postgres://user:pass@db.example/x', 'postgres://db.example/x'],
  ['authorization: Bearer abc.def-ghi', 'authorization: Bearer [redacted]'],
  ['Bearer abc.def-ghi failed', 'Bearer [redacted] failed'],
  ['{"password":"hunter2","name":"Ann"}', '{"password":"[redacted]","name":"Ann"}'],
  ['api_key=123&x=1', 'api_key=[redacted]&x=1'],
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'jwt [redacted]'],
  ['key bgl_sec_abcdefghijklmnopqrstuvwxyz', 'key [redacted]'],
  ['ghp_abcdefghijklmnopqrstuvwxyz0123', '[redacted]'],
])('%s becomes %s', (text, clean) => {
  expect(scrub(text)).toBe(clean)
})

test.each([
  'Unexpected token < in JSON at position 0',
  'Session expired',
  'at save (file:///app/form.js:1:88)',
  'skip the basics',
])('%s stays', (text) => {
  expect(scrub(text)).toBe(text)
})
