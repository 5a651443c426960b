import { describe, expect, it } from 'vitest'
import { type DestinationReason, judgeUrl, resolveDestination } from './guard-destination.ts'
import { type GuardException, parseGuardException } from './guard-exceptions.ts'

const HOSTILE: readonly (readonly [url: string, reason: DestinationReason])[] = [
  // Loopback addresses, in every spelling.
  ['https://127.0.0.1/', 'loopback'],
  ['https://127.0.0.1:8443/hook', 'loopback'],
  ['https://127.8.8.8/', 'loopback'],
  ['https://127.1/', 'loopback'],
  ['https://127.0.1/', 'loopback'],
  ['https://2130706433/', 'loopback'],
  ['https://0x7f000001/', 'loopback'],
  ['https://0x7F.0.0.0x1/', 'loopback'],
  ['https://017700000001/', 'loopback'],
  ['https://0177.0.0.01/', 'loopback'],
  ['https://127.0.0.1./', 'loopback'],
  ['https://%31%32%37.0.0.1/', 'loopback'],
  ['https://127%2e0%2e0%2e1/', 'loopback'],
  ['https://127。0。0。1/', 'loopback'],
  ['https://１２７.0.0.1/', 'loopback'],
  ['https://①②⑦.0.0.1/', 'loopback'],
  ['https:\\\\127.0.0.1\\', 'loopback'],
  ['https:127.0.0.1', 'loopback'],
  ['  https://127.0.\t0.1/\n', 'loopback'],
  ['https://127.0.0.1\\@example.com/', 'loopback'],
  ['https://[::1]/', 'loopback'],
  ['https://[0:0:0:0:0:0:0:1]/', 'loopback'],
  ['https://[0000::0001]:443/', 'loopback'],
  ['https://0/', 'unspecified'],
  ['https://0.0.0.0/', 'unspecified'],
  ['https://0.1.2.3/', 'unspecified'],
  ['https://[::]/', 'unspecified'],
  ['https://localhost/', 'local-name'],
  ['https://LocalHost:4000/', 'local-name'],
  ['https://localhost./', 'local-name'],
  ['https://localhost../', 'local-name'],
  ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'local-name'],
  ['https://loc%61lhost/', 'local-name'],
  ['https://loc\u00adalhost/', 'local-name'],
  ['https://anything.localhost/', 'local-name'],
  // Private networks.
  ['https://10.0.0.1/', 'private'],
  ['https://167772161/', 'private'],
  ['https://10.1/', 'private'],
  ['https://172.16.0.1/', 'private'],
  ['https://172.31.255.255/', 'private'],
  ['https://192.168.1.1/', 'private'],
  ['https://0300.0250.1.1/', 'private'],
  ['https://0xc0a80101/', 'private'],
  ['https://[fc00::1]/', 'unique-local'],
  ['https://[fdff:ffff::1]/', 'unique-local'],
  ['https://[fec0::1]/', 'private'],
  ['https://100.64.0.1/', 'carrier-grade-nat'],
  ['https://100.127.255.255/', 'carrier-grade-nat'],
  ['https://169.254.0.1/', 'link-local'],
  ['https://[fe80::1]/', 'link-local'],
  ['https://[febf::1]/', 'link-local'],
  ['https://[fe80::1%25eth0]/', 'unreadable-url'],
  ['https://[fe80::1%eth0]/', 'unreadable-url'],
  ['https://intranet/', 'single-label'],
  ['https://bugle-postgres:5432/', 'single-label'],
  ['https://com./', 'single-label'],
  ['https://printer.local/', 'local-name'],
  ['https://db.corp.internal/', 'local-name'],
  ['https://metadata.google.internal/computeMetadata/v1/', 'local-name'],
  ['https://router.home.arpa/', 'local-name'],
  // Cloud metadata services.
  ['https://169.254.169.254/latest/meta-data/', 'metadata'],
  ['https://2852039166/', 'metadata'],
  ['https://0xA9FEA9FE/', 'metadata'],
  ['https://0251.0376.0251.0376/', 'metadata'],
  ['https://169.254.43518/', 'metadata'],
  ['https://[fd00:ec2::254]/', 'metadata'],
  ['https://[fd00:0ec2:0:0:0:0:0:0254]/', 'metadata'],
  ['https://100.100.100.200/', 'metadata'],
  ['https://192.0.0.192/', 'metadata'],
  ['https://168.63.129.16/', 'metadata'],
  // IPv4 inside IPv6.
  ['https://[::ffff:127.0.0.1]/', 'wrapped-ipv4'],
  ['https://[::ffff:7f00:1]/', 'wrapped-ipv4'],
  ['https://[::ffff:169.254.169.254]/', 'wrapped-ipv4'],
  ['https://[::127.0.0.1]/', 'wrapped-ipv4'],
  ['https://[::a00:1]/', 'wrapped-ipv4'],
  ['https://[::ffff:0:10.0.0.1]/', 'wrapped-ipv4'],
  ['https://[64:ff9b::127.0.0.1]/', 'wrapped-ipv4'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'wrapped-ipv4'],
  ['https://[64:ff9b:1::10.0.0.1]/', 'wrapped-ipv4'],
  ['https://[2002:7f00:1::]/', 'wrapped-ipv4'],
  ['https://[2002:c0a8:101::1]/', 'wrapped-ipv4'],
  ['https://[2001:0:0:0:0:0:f5ff:fffe]/', 'wrapped-ipv4'],
  // Addresses outside the public Internet.
  ['https://224.0.0.1/', 'multicast'],
  ['https://239.255.255.250:1900/', 'multicast'],
  ['https://[ff02::1]/', 'multicast'],
  ['https://255.255.255.255/', 'broadcast'],
  ['https://4294967295/', 'broadcast'],
  ['https://240.0.0.1/', 'reserved'],
  ['https://192.0.2.1/', 'reserved'],
  ['https://198.51.100.1/', 'reserved'],
  ['https://203.0.113.1/', 'reserved'],
  ['https://198.18.0.1/', 'reserved'],
  ['https://192.88.99.1/', 'reserved'],
  ['https://[2001:db8::1]/', 'reserved'],
  ['https://[3fff::1]/', 'reserved'],
  ['https://[100::1]/', 'reserved'],
  ['https://[4000::1]/', 'reserved'],
  ['https://[::1:0:0:0]/', 'reserved'],
  // Other schemes, and invalid URLs.
  ['http://example.com/', 'not-https'],
  ['HTTP://8.8.8.8/', 'not-https'],
  ['ftp://example.com/', 'not-https'],
  ['file:///etc/passwd', 'not-https'],
  ['gopher://127.0.0.1:6379/_INFO', 'not-https'],
  ['data:text/plain,hello', 'not-https'],
  ['javascript:alert(1)', 'not-https'],
  ['unix:/var/run/docker.sock', 'not-https'],
  ['', 'unreadable-url'],
  ['example.com', 'unreadable-url'],
  ['//example.com/', 'unreadable-url'],
  ['https://', 'unreadable-url'],
  ['https://:443/', 'unreadable-url'],
  ['https://exa mple.com/', 'unreadable-url'],
  ['https://example.com:99999/', 'unreadable-url'],
  ['https://256.0.0.1/', 'unreadable-url'],
  ['https://127.0.0.0.1/', 'unreadable-url'],
  ['https://[::1/', 'unreadable-url'],
  ['https://example.com%00.evil.com/', 'unreadable-url'],
  ['https://user@example.com/', 'credentials-in-url'],
  ['https://user:password@example.com/', 'credentials-in-url'],
  ['https://:password@example.com/', 'credentials-in-url'],
  ['https://example.com@127.0.0.1/', 'credentials-in-url'],
  ['https://127.0.0.1%2f@example.com/', 'credentials-in-url'],
  ['https://example.com./', 'malformed-name'],
  ['https://example..com/', 'malformed-name'],
  ['https://.example.com/', 'malformed-name'],
  [`https://${'a'.repeat(64)}.com/`, 'malformed-name'],
  [`https://${'abcdefg.'.repeat(32)}com/`, 'malformed-name'],
]

const GOOD: readonly string[] = [
  'https://example.com/',
  'https://Hooks.Example.COM:8443/services/T0/B0/x?y=z#part',
  'https://hooks.slack.com/services/T00/B00/XXX',
  'https://bücher.example/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://my.local.example/',
  'https://example.com\\@127.0.0.1/',
  'https://8.8.8.8/',
  'https://134744072/',
  'https://172.15.0.1/',
  'https://172.32.0.1/',
  'https://100.63.255.255/',
  'https://100.128.0.1/',
  'https://169.253.0.1/',
  'https://[2606:4700::1111]/',
  'https://[2a00:1450:4001::200e]:8443/',
]

describe('a webhook', () => {
  it.each(HOSTILE)('may not be sent to %j (%s)', (url, reason) => {
    const refusal = judgeUrl(url, [])
    expect(refusal).toEqual({ reason, detail: expect.stringMatching(/^\S.*\.$/) })
  })

  it.each(GOOD)('may be sent to %s', (url) => {
    expect(judgeUrl(url, [])).toBeUndefined()
  })
})

describe('an exception', () => {
  it.each([
    ['localhost', 'http://localhost:3000/'],
    ['hooks.lan:8080', 'http://hooks.lan:8080/'],
    ['receiver:80', 'http://receiver/'],
    ['127.0.0.1', 'http://127.1:9000/'],
    ['[::1]:9000', 'http://[::1]:9000/'],
    ['10.0.0.0/8', 'http://10.1.2.3/'],
    ['fd00::/8', 'https://[fd12::1]/'],
    ['169.254.169.254', 'http://169.254.169.254/'],
    ['plain.example', 'http://plain.example/'],
  ])('for %s allows %s', (listed, url) => {
    expect(judgeUrl(url, exceptions(listed))).toBeUndefined()
  })

  it.each([
    ['hooks.lan:8080', 'http://hooks.lan/', 'not-https'],
    ['localhost', 'https://evil.localhost/', 'local-name'],
    ['localhost', 'https://127.0.0.1/', 'loopback'],
    ['localhost', 'https://localhost./', 'local-name'],
    ['127.0.0.1', 'https://localhost/', 'local-name'],
    ['127.0.0.1', 'https://127.0.0.2/', 'loopback'],
    ['127.0.0.1', 'https://[::ffff:127.0.0.1]/', 'wrapped-ipv4'],
    ['127.0.0.1:9000', 'https://127.0.0.1/', 'loopback'],
    ['10.0.0.0/8', 'http://public.example/', 'not-https'],
    ['localhost', 'ftp://localhost/', 'not-https'],
    ['localhost', 'http://user@localhost/', 'credentials-in-url'],
    ['100.64.0.0/10', 'https://100.100.100.200/', 'metadata'],
    ['fd00::/8', 'https://[fd00:ec2::254]/', 'metadata'],
  ])('for %s does not allow %s', (listed, url, reason) => {
    expect(judgeUrl(url, exceptions(listed))).toMatchObject({ reason })
  })
})

describe('a name', () => {
  const resolve = (addresses: readonly string[], listed = '') =>
    resolveDestination('https://hooks.example.com/path', {
      exceptions: exceptions(listed),
      lookup: async () => addresses.map((address) => ({ address })),
    })

  it('resolves to all addresses that were checked', async () => {
    expect(await resolve(['93.184.215.14', '2606:2800:21f::1'])).toEqual({
      kind: 'allowed',
      url: new URL('https://hooks.example.com/path'),
      addresses: ['93.184.215.14', '2606:2800:21f::1'],
    })
  })

  it.each([
    [['10.0.0.5'], 'hooks.example.com resolves to a blocked address: 10.0.0.5 belongs to a private network.'],
    [['93.184.215.14', '::1'], 'hooks.example.com resolves to a blocked address: ::1 is a loopback address.'],
    [
      ['fe80::1%eth0'],
      'hooks.example.com resolves to a blocked address: fe80::1%eth0 is a link-local address.',
    ],
    [['0177.0.0.1'], 'hooks.example.com resolves to a blocked address: 0177.0.0.1 is not an IP address.'],
  ])('that resolves to %j is refused, with the reason', async (addresses, detail) => {
    expect(await resolve(addresses)).toMatchObject({ kind: 'refused', refusal: { detail } })
  })

  it('may resolve to an allowed network, or to any address if the name itself is allowed', async () => {
    expect(await resolve(['10.0.0.5'], '10.0.0.0/24')).toMatchObject({ kind: 'allowed' })
    expect(await resolve(['10.0.0.5', '10.0.1.5'], '10.0.0.0/24')).toMatchObject({ kind: 'refused' })
    expect(await resolve(['10.0.0.5', '::1'], 'hooks.example.com')).toMatchObject({ kind: 'allowed' })
    expect(await resolve(['10.0.0.5'], 'hooks.example.com:80')).toMatchObject({ kind: 'refused' })
    expect(await resolve(['169.254.169.254'], 'hooks.example.com')).toMatchObject({ kind: 'refused' })
  })

  it('that cannot be resolved is unresolved, not refused', async () => {
    expect(await resolve([])).toEqual({ kind: 'unresolved' })
    const lookup = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }))
    expect(await resolveDestination('https://hooks.example.com', { exceptions: [], lookup })).toEqual({
      kind: 'unresolved',
    })
  })

  it('is not resolved if the URL is refused, nor is an address', async () => {
    const guard = { exceptions: [], lookup: () => expect.unreachable() }
    expect(await resolveDestination('https://localhost/', guard)).toMatchObject({ kind: 'refused' })
    expect(await resolveDestination('https://8.8.8.8/', guard)).toMatchObject({ addresses: ['8.8.8.8'] })
  })

  it('is resolved by the system by default', async () => {
    const resolution = await resolveDestination('http://localhost:1/', {
      exceptions: exceptions('localhost'),
    })
    expect(resolution).toMatchObject({ kind: 'allowed' })
  })
})

function exceptions(list: string): readonly GuardException[] {
  return list.split(',').flatMap((text) => parseGuardException(text) ?? [])
}
