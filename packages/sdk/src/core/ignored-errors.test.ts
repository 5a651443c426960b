import { expect, test } from 'vitest'
import { isIgnored } from './ignored-errors.ts'

test.each([
  ['Error: Script error.', false, undefined, true],
  ['Error: ResizeObserver loop limit exceeded', false, undefined, true],
  ['Error: ResizeObserver loop completed with undelivered notifications.', false, [], true],
  ['Error: Script error.', true, undefined, false],
  ['TypeError: x is not a function', false, undefined, false],
  ['TypeError: x is not a function', true, ['not a function'], true],
  ['TypeError: x is not a function', true, [/^TypeError/g], true],
  ['RangeError: x', true, [/^TypeError/g, 'other'], false],
])('%s, handled: %s, with %s, is ignored: %s', (title, isHandled, ignoreErrors, isExpected) => {
  expect([1, 2].map(() => isIgnored(title, isHandled, ignoreErrors))).toEqual([isExpected, isExpected])
})
