import { describe, expect, it } from 'vitest'
import { judgeAddress } from './judge-address.ts'

describe('an address', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['192.168.0.1', 'private'],
    ['fd00::1', 'unique-local'],
    ['100.64.0.1', 'carrier-grade-nat'],
    ['169.254.1.1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fd00:ec2::254%eth0', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['FD00:EC2:0::254', 'metadata'],
    ['::ffff:8.8.8.8', 'wrapped-ipv4'],
    ['64:ff9b::8.8.8.8', 'wrapped-ipv4'],
    ['2002:808:808::', 'wrapped-ipv4'],
    ['::8.8.8.8', 'wrapped-ipv4'],
    ['ff0e::1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['192.0.2.1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['', 'not-an-address'],
    ['127.1', 'not-an-address'],
    ['0177.0.0.1', 'not-an-address'],
    ['[::1]', 'not-an-address'],
    ['example.com', 'not-an-address'],
  ])('%j is refused: %s', (address, reason) => {
    expect(judgeAddress(address)).toMatchObject({ reason })
  })

  it.each(['8.8.8.8', '1.0.0.1', '223.255.255.255', '2606:4700::1111', '2001:4860:4860::8888'])(
    '%s is allowed',
    (address) => {
      expect(judgeAddress(address)).toBeUndefined()
    },
  )

  it('is named in the message', () => {
    expect(judgeAddress('10.0.0.5')?.detail).toBe('10.0.0.5 belongs to a private network.')
  })
})
