import { expect, test } from 'vitest'
import { type ClientHints, readClientHints } from './client-hints.ts'
import { readUserAgent } from './user-agent.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const SAFARI = 'Safari/605.1.15'
const MOBILE = 'Mobile/15E148 Safari/604.1'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0'
const PHONE = `${CHROME} Mobile Safari/537.36`
const DESKTOP = `${CHROME} Safari/537.36`
const GECKO = 'Gecko/20100101 Firefox/145.0'
const MAC = 'Macintosh; Intel Mac OS X 10_15_7'
const WINDOWS = 'Windows NT 10.0; Win64; x64'

/** The user agent without `Mozilla/5.0 (`, then the expected device fields. */
type Case = [agent: string, osVersion: string, deviceModel: string, hints?: ClientHints]

/** A platform's client hints; a browser that withholds a value sends an empty text. */
function hints(platform: string, platformVersion: string, model = ''): ClientHints {
  return { platform, platformVersion, model }
}

test.each<Case>([
  // Windows
  [`${WINDOWS}) ${DESKTOP}`, 'Windows >=10', 'Desktop'],
  [`${WINDOWS}) ${DESKTOP}`, 'Windows 11', 'Desktop', hints('Windows', '15.0.0')],
  [`${WINDOWS}) ${DESKTOP}`, 'Windows 10', 'Desktop', hints('Windows', '10.0.0')],
  [`${WINDOWS}) ${DESKTOP}`, 'Windows 10', 'Desktop', hints('Windows', '1.0.0')],
  [`${WINDOWS}) ${DESKTOP}`, 'Windows 8.1', 'Desktop', hints('Windows', '0.3.0')],
  [`${WINDOWS}) ${DESKTOP}`, 'Windows 8', 'Desktop', hints('Windows', '0.2')],
  [`${WINDOWS}) ${DESKTOP}`, 'Windows 7', 'Desktop', hints('Windows', '0.1.0')],
  [`${WINDOWS}) ${DESKTOP}`, 'Windows <10', 'Desktop', hints('Windows', '0')],
  [`${WINDOWS}) ${DESKTOP}`, 'Windows >=10', 'Desktop', hints('Windows', '')],
  [`${WINDOWS}) ${DESKTOP} Edg/156.0.0.0`, 'Windows >=10', 'Desktop'],
  [`${WINDOWS}; rv:145.0) ${GECKO}`, 'Windows >=10', 'Desktop'],
  [`Windows NT 6.1; Win64; x64) ${DESKTOP}`, 'Windows NT 6.1', 'Desktop'],
  ['Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko', 'Windows NT 6.3', 'Desktop'],
  // macOS
  [`${MAC}) ${DESKTOP}`, 'macOS >=10.15.7', 'Mac'],
  [`${MAC}) ${DESKTOP}`, 'macOS 26.1.0', 'Mac', hints('macOS', '26.1.0')],
  [`${MAC}) ${WEBKIT} Version/26.1 ${SAFARI}`, 'macOS >=10.15.7', 'Mac'],
  [`Macintosh; Intel Mac OS X 10.15; rv:145.0) ${GECKO}`, 'macOS >=10.15', 'Mac'],
  [`Macintosh; Intel Mac OS X 10_14_6) ${WEBKIT} Version/14.1.2 ${SAFARI}`, 'macOS 10.14.6', 'Mac'],
  // iPhone and iPod
  [`iPhone; CPU iPhone OS 17_5_1 like Mac OS X) ${WEBKIT} Version/17.5 ${MOBILE}`, 'iOS 17.5.1', 'iPhone'],
  [`iPhone; CPU iPhone OS 18_6 like Mac OS X) ${WEBKIT} Version/26.1 ${MOBILE}`, 'iOS 26.1', 'iPhone'],
  [`iPhone; CPU iPhone OS 18_6 like Mac OS X) ${WEBKIT} Version/18.6 ${MOBILE}`, 'iOS 18.6', 'iPhone'],
  [`iPhone; CPU iPhone OS 18_7 like Mac OS X) ${WEBKIT} Mobile/15E148`, 'iOS >=18.7', 'iPhone'],
  [`iPhone; CPU iPhone OS 18_7 like Mac OS X) ${WEBKIT} CriOS/156.0.0.0 ${MOBILE}`, 'iOS >=18.7', 'iPhone'],
  [
    `iPhone; CPU iPhone OS 16_7_10 like Mac OS X) ${WEBKIT} FxiOS/145.0 Mobile/15E148 ${SAFARI}`,
    'iOS 16.7.10',
    'iPhone',
  ],
  [
    `iPod touch; CPU iPhone OS 12_5_7 like Mac OS X) ${WEBKIT} Version/12.1.2 ${MOBILE}`,
    'iOS 12.5.7',
    'iPod',
  ],
  // iPad
  [`iPad; CPU OS 18_6 like Mac OS X) ${WEBKIT} Version/26.1 ${MOBILE}`, 'iPadOS 26.1', 'iPad'],
  [`iPad; CPU OS 17_5 like Mac OS X) ${WEBKIT} CriOS/126.0.6478.35 ${MOBILE}`, 'iPadOS 17.5', 'iPad'],
  [`iPad; CPU OS 18_7 like Mac OS X) ${WEBKIT} FxiOS/145.0 ${MOBILE}`, 'iPadOS >=18.7', 'iPad'],
  [`iPad; CPU OS 12_2 like Mac OS X) ${WEBKIT} Version/12.1 ${MOBILE}`, 'iOS 12.2', 'iPad'],
  // Android
  [`Linux; Android 10; K) ${PHONE}`, 'Android >=10', 'Android'],
  [`Linux; Android 10; K) ${PHONE}`, 'Android 16.0.0', 'Pixel 10', hints('Android', '16.0.0', 'Pixel 10')],
  [
    'Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
    'Android >=10',
    'Android',
  ],
  [`Linux; Android 14; Pixel 8) ${PHONE}`, 'Android 14', 'Pixel 8'],
  [`Linux; Android 13; SAMSUNG SM-S918B) ${PHONE}`, 'Android 13', 'SAMSUNG SM-S918B'],
  [`Linux; Android 16; Pixel 10 Build/BP2A.250805.005; wv) ${PHONE}`, 'Android 16', 'Pixel 10'],
  [`Linux; Android 9; AFTMM Build/PS7233; wv) ${PHONE}`, 'Android 9', 'AFTMM'],
  [`Linux; Android 12; Quest 3) ${DESKTOP}`, 'Android 12', 'Quest 3'],
  ['Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 'Android 15', 'Android'],
  ['Android 15; Tablet; rv:145.0) Gecko/145.0 Firefox/145.0', 'Android 15', 'Android'],
  // HarmonyOS, which calls itself Android before release 5
  [
    `Linux; Android 10; HarmonyOS; NOH-AN00; HMSCore 6.4.0.312) ${CHROME} HuaweiBrowser/12.0.4.1 Mobile Safari/537.36`,
    'HarmonyOS',
    'NOH-AN00',
  ],
  [
    `Linux; HarmonyOS; HMA-AL00) ${CHROME} HuaweiBrowser/12.0.0.301 Mobile Safari/537.36`,
    'HarmonyOS',
    'HMA-AL00',
  ],
  [
    `Phone; OpenHarmony 5.0) ${CHROME} Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.0.4.300`,
    'HarmonyOS 5.0',
    'HarmonyOS',
  ],
  [`Tablet; OpenHarmony 5.1) ${CHROME} Safari/537.36 ArkWeb/4.1.6.1`, 'HarmonyOS 5.1', 'HarmonyOS'],
  // KaiOS, which has an "OS" in its name, and at times Android too
  ['Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5', 'KaiOS 2.5', 'Nokia_8110_4G'],
  ['Mobile; Nokia 2780 Flip; rv:84.0) Gecko/84.0 Firefox/84.0 KAIOS/3.1', 'KaiOS 3.1', 'Nokia 2780 Flip'],
  [
    'Mobile; LYF/F120B/LYF-F120B-001-01-15-130718;Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
    'KaiOS 2.5',
    'LYF/F120B/LYF-F120B-001-01-15-130718',
  ],
  ['Mobile; rv:84.0) Gecko/84.0 Firefox/84.0 KAIOS/3.0', 'KaiOS 3.0', 'KaiOS'],
  // televisions
  [`Web0S; Linux/SmartTV) ${DESKTOP} WebAppManager`, 'webOS', 'TV'],
  [
    'SMART-TV; LINUX; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) 85.0.4183.93/6.5 TV Safari/537.36',
    'Tizen 6.5',
    'TV',
  ],
  [
    'SMART-TV; Linux; Tizen 2.4.0) AppleWebKit/538.1 (KHTML, like Gecko) Version/2.4.0 TV Safari/538.1',
    'Tizen 2.4.0',
    'TV',
  ],
  [
    'Linux; Tizen 2.3; SAMSUNG SM-Z130H) AppleWebKit/537.3 (KHTML, like Gecko) SamsungBrowser/1.0 Mobile Safari/537.3',
    'Tizen 2.3',
    'SAMSUNG SM-Z130H',
  ],
  // consoles
  [
    `PlayStation; PlayStation 5/2.26) ${WEBKIT} Version/13.0 ${SAFARI}`,
    'PlayStation 5 2.26',
    'PlayStation 5',
  ],
  ['PlayStation 4 3.11) AppleWebKit/537.73 (KHTML, like Gecko)', 'PlayStation 4 3.11', 'PlayStation 4'],
  [`${WINDOWS}; Xbox; Xbox One) ${DESKTOP} Edge/44.18363.8131`, 'Windows >=10', 'Xbox One'],
  [
    `${WINDOWS}; Xbox; Xbox Series X) ${DESKTOP} Edg/156.0.0.0`,
    'Windows 10',
    'Xbox Series X',
    hints('Windows', '10.0.0'),
  ],
  // Linux and Chrome OS
  [`X11; Linux x86_64) ${DESKTOP}`, 'Linux', 'Desktop'],
  [`X11; Linux x86_64) ${DESKTOP}`, 'Linux', 'Desktop', hints('Linux', '')],
  [`X11; Ubuntu; Linux x86_64; rv:145.0) ${GECKO}`, 'Linux', 'Desktop'],
  [`X11; CrOS x86_64 14541.0.0) ${DESKTOP}`, 'CrOS', 'Desktop'],
  [
    `X11; CrOS x86_64 14541.0.0) ${DESKTOP}`,
    'Chrome OS 16433.53.0',
    'Desktop',
    hints('Chrome OS', '16433.53.0'),
  ],
  ['compatible; Something)', '', ''],
])('%s is %s on %s', async (agent, osVersion, deviceModel, given) => {
  const told = given && (await readClientHints({ getHighEntropyValues: async () => given }))
  expect({ ...readUserAgent(`Mozilla/5.0 (${agent}`, 0), ...told }).toEqual({ osVersion, deviceModel })
})

test.each(['curl/8.0', ''])('"%s" reveals nothing', (agent) => {
  expect(readUserAgent(agent, 0)).toEqual({ osVersion: '', deviceModel: '' })
})

/** An iPad identifies as a Mac by default; of the two, only the iPad has a touch screen. */
test.each([
  [`${MAC}) ${WEBKIT} Version/26.1 ${SAFARI}`, 'iPadOS 26.1'],
  [`${MAC}) ${WEBKIT} Version/17.0 EdgiOS/126.0.2592.113 ${SAFARI}`, 'iPadOS 17.0'],
  // Chrome claims a Safari version that predates this mode.
  [`Macintosh; Intel Mac OS X 10_13_5) ${WEBKIT} CriOS/126 Version/11.1.1 ${SAFARI}`, 'iPadOS >=13'],
  [`${MAC}) ${WEBKIT} FxiOS/145.0 ${SAFARI}`, 'iPadOS >=13'],
])('with a touch screen, %s is an iPad', (agent, osVersion) => {
  expect(readUserAgent(`Mozilla/5.0 (${agent}`, 5)).toEqual({ osVersion, deviceModel: 'iPad' })
})
