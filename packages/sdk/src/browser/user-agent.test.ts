import { expect, test } from 'vitest'
import { readUserAgent } from './user-agent.ts'

const MOZILLA = 'Mozilla/5.0'
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0'

test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'Windows >=10', 'Desktop'],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0`,
    'Windows >=10',
    'Desktop',
  ],
  [`${MOZILLA} (Windows NT 6.1; Win64; x64) ${CHROME} Safari/537.36`, 'Windows NT 6.1', 'Desktop'],
  [`${MOZILLA} (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko`, 'Windows NT 6.3', 'Desktop'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Safari/537.36`, 'macOS >=10.15.7', 'Mac'],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0`,
    'macOS >=10.15',
    'Mac',
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_14_6) ${WEBKIT} Version/14.1.2 Safari/605.1.15`,
    'macOS 10.14.6',
    'Mac',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) ${WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1`,
    'iOS 17.5.1',
    'iPhone',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${WEBKIT} Version/26.1 Mobile/15E148 Safari/604.1`,
    'iOS 26.1',
    'iPhone',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${WEBKIT} Version/18.6 Mobile/15E148 Safari/604.1`,
    'iOS 18.6',
    'iPhone',
  ],
  [`${MOZILLA} (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${WEBKIT} Mobile/15E148`, 'iOS >=18.7', 'iPhone'],
  [
    `${MOZILLA} (iPad; CPU OS 12_2 like Mac OS X) ${WEBKIT} Version/12.1 Mobile/15E148 Safari/604.1`,
    'iOS 12.2',
    'iPad',
  ],
  [`${MOZILLA} (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`, 'Android >=10', 'Android'],
  [`${MOZILLA} (Linux; Android 14; Pixel 8) ${CHROME} Mobile Safari/537.36`, 'Android 14', 'Pixel 8'],
  [`${MOZILLA} (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0`, 'Android 15', 'Android'],
  [`${MOZILLA} (Android 15; Tablet; rv:145.0) Gecko/145.0 Firefox/145.0`, 'Android 15', 'Android'],
  [
    `${MOZILLA} (Linux; Android 13; SAMSUNG SM-S918B) ${CHROME} Mobile Safari/537.36`,
    'Android 13',
    'SAMSUNG SM-S918B',
  ],
  [`${MOZILLA} (X11; Linux x86_64) ${CHROME} Safari/537.36`, 'Linux', 'Desktop'],
  [`${MOZILLA} (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`, 'Linux', 'Desktop'],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/156.0.0.0`,
    'Windows >=10',
    'Desktop',
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/26.1 Safari/605.1.15`,
    'macOS >=10.15.7',
    'Mac',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${WEBKIT} CriOS/156.0.0.0 Mobile/15E148 Safari/604.1`,
    'iOS >=18.7',
    'iPhone',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 16_7_10 like Mac OS X) ${WEBKIT} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`,
    'iOS 16.7.10',
    'iPhone',
  ],
  [
    `${MOZILLA} (iPod touch; CPU iPhone OS 12_5_7 like Mac OS X) ${WEBKIT} Version/12.1.2 Mobile/15E148 Safari/604.1`,
    'iOS 12.5.7',
    'iPod',
  ],
  [
    `${MOZILLA} (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'Android >=10',
    'Android',
  ],
  [
    `${MOZILLA} (Linux; Android 16; Pixel 10 Build/BP2A.250805.005; wv) ${CHROME} Mobile Safari/537.36`,
    'Android 16',
    'Pixel 10',
  ],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, 'CrOS', 'Desktop'],
  ['curl/8.0', '', ''],
  ['', '', ''],
])('%s is %s on %s', (agent, osVersion, deviceModel) => {
  const fields = readUserAgent(agent, 0)
  expect([fields.osVersion, fields.deviceModel]).toEqual([osVersion, deviceModel])
})

test('a Mac with a touch screen is an iPad', () => {
  const agent = `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/26.1 Safari/605.1.15`
  expect(readUserAgent(agent, 5)).toEqual({ osVersion: 'iPadOS 26.1', deviceModel: 'iPad' })
})
