import { expect, test } from 'vitest'
import { type ClientHints, readClientHints } from './client-hints.ts'

test.each<[ClientHints, object]>([
  [{ platform: 'Windows', platformVersion: '15.0.0', model: '' }, { osVersion: 'Windows 11' }],
  [{ platform: 'Windows', platformVersion: '10.0.0' }, { osVersion: 'Windows 10' }],
  [{ platform: 'macOS', platformVersion: '26.1.0' }, { osVersion: 'macOS 26.1.0' }],
  [
    { platform: 'Android', platformVersion: '16.0.0', model: 'Pixel 10' },
    { osVersion: 'Android 16.0.0', deviceModel: 'Pixel 10' },
  ],
  [{ platform: 'Windows', platformVersion: '', model: '' }, {}],
  [{ platform: 'Linux' }, {}],
])('%j gives %j', async (hints, fields) => {
  expect(await readClientHints({ getHighEntropyValues: async () => hints })).toEqual(fields)
})
