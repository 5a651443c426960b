import { expect, it } from 'vitest'
import { readBrowser, withBrowser } from './browsers.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const CHROME = `${WEBKIT} Chrome/147.0.0.0`

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`, 'Chrome 147'],
  [`Mozilla/5.0 (Windows NT 10.0) ${CHROME} Safari/537.36 Edg/147.0.0.0`, 'Edge 147'],
  [`Mozilla/5.0 (Windows NT 10.0) ${CHROME} Safari/537.36 OPR/120.0`, 'Opera 120'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet 29',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0', 'Firefox 152'],
  [
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari 26.1',
  ],
  ['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 CriOS/147.0 Mobile/15E148 Safari/604.1', 'Chrome 147'],
  ['Mozilla/5.0 (iPad) AppleWebKit/605.1.15 Version/17.0 EdgiOS/126.0.2592.113 Safari/605.1.15', 'Edge 126'],
  ['Mozilla/5.0 (compatible; Something)', 'Mozilla/5.0 (compatible; Something)'],
])('the browser of %s is %s', (userAgent, browser) => {
  expect(readBrowser(userAgent)).toBe(browser)
})

it('only a user agent is replaced, and the other fields stay', () => {
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`
  expect(withBrowser({ context: { browser: userAgent, page: '/a' } })).toEqual({
    context: { browser: 'Chrome 147', page: '/a' },
  })
  for (const context of [null, {}, { browser: 'Lynx' }, { browser: 7 }])
    expect(withBrowser({ context })).toEqual({ context })
})

it('takes linear time', () => {
  const hostile = `Mozilla/${'Chrome/1.'.repeat(50)}`
  expect(readBrowser(hostile)).toBe('Chrome 1')
})
