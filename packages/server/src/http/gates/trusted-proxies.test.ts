import { expect, it } from 'vitest'
import { trustedProxies } from './trusted-proxies.ts'

it.each<[address: string, isTrusted: boolean]>([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['127.0.0.2', false],
  ['10.1.2.3', true],
  ['11.1.2.3', false],
  ['fd00::1', true],
  ['fe80::1', false],
  ['', false],
  ['unknown', false],
])('%s is a trusted proxy: %s', (address, isTrusted) => {
  expect(trustedProxies('127.0.0.1, 10.0.0.0/8,fd00::/8')(address)).toBe(isTrusted)
})

it('without the setting, no address is', () => {
  expect(trustedProxies(false)('127.0.0.1')).toBe(false)
})
