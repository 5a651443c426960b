import { expect, it } from 'vitest'
import { fit, wrap } from './fit.ts'

it.each<[text: string, columns: number, fitted: string]>([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['any length', Number.POSITIVE_INFINITY, 'any length'],
  ['two\nlines that are cut', 6, 'two\nlines…'],
  ['買い物リスト', 12, '買い物リスト'],
  ['買い物リスト', 11, '買い物リス…'],
  ['買い物リスト', 10, '買い物リ…'],
  ['ab💥cd', 6, 'ab💥cd'],
  ['ab💥cd', 5, 'ab💥…'],
  ['ab💥cd', 4, 'ab…'],
  ['e\u0301te\u0301', 3, 'e\u0301te\u0301'],
  ['', 1, ''],
])('fits %j into %d columns as %j', (text, columns, fitted) => {
  expect(fit(text, columns)).toBe(fitted)
})

it.each<[text: string, columns: number, lines: readonly string[]]>([
  ['one two', 7, ['one two']],
  ['one two', 6, ['one', 'two']],
  ['    at pay (cart.js:1:2)', 80, ['    at pay (cart.js:1:2)']],
  ['    at pay (cart.js:1:2)', 10, ['    at pay', '(cart.js:1:2)']],
  ['one  two', 4, ['one ', 'two']],
  ['one   two', 3, ['one', 'two']],
  ['', 3, ['']],
])('wraps %j at %d columns as %j', (text, columns, lines) => {
  expect(wrap(text, columns)).toEqual(lines)
})
