import { expect, it } from 'vitest'
import { escapeBeyondLatin1 } from './server-package.ts'

it.each([
  ["'Grüße, é'", 'Grüße, é'],
  ["'画面 …'", '画面 …'],
  ["'👍'", '👍'],
  ['/^[“”👍]+$/u.exec("”👍")[0]', '”👍'],
  ['`→ 1`', '→ 1'],
])('escapes the code %s without changing its value', (code, value) => {
  const escaped = escapeBeyondLatin1(code)
  expect(escaped).toMatch(/^[\0-\xff]*$/)
  // biome-ignore lint/security/noGlobalEval: the code is in this file
  expect(eval(escaped)).toBe(value)
})
