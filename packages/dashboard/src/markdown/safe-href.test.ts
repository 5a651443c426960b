import { expect, it } from 'vitest'
import { safeHref } from './safe-href.ts'

it.each([
  ['https://a.example/b?c=1', 'https://a.example/b?c=1'],
  ['HTTP://A.example', 'http://a.example/'],
  ['mailto:a@a.example', 'mailto:a@a.example'],
  ['javascript:alert(1)', undefined],
  [' java\nscript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['file:///etc/passwd', undefined],
  ['/sign-in', undefined],
  ['//a.example', undefined],
  ['https://bank.example@evil.example', undefined],
])('%j leads to %j', (address, href) => {
  expect(safeHref(address)).toBe(href)
})
