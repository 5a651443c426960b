import { describe, expect, it } from 'vitest'
import { clientOf } from './client-address.ts'

describe('clientOf', () => {
  it.each([
    ['an IPv4 address as it is', '203.0.113.7', '203.0.113.7'],
    ['an IPv4 address that came over IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['the same in hexadecimal', '::ffff:cb00:7107', '203.0.113.7'],
    ['the network of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['the same network for its neighbour', '2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['another network', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['the loopback address', '::1', '0:0:0:0::/64'],
    ['an address with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['nothing', '', 'unknown'],
    ['what is no address', 'x'.repeat(8_000), 'unknown'],
  ])('identifies %s', (_, address, client) => {
    expect(clientOf(address)).toBe(client)
  })
})
