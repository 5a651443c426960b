import { describe, expect, it } from 'vitest'
import { parseGuardException } from './guard-exceptions.ts'

const ONE_IPV4 = { kind: 'network', address: '127.0.0.1', prefix: 32, port: null }

describe('an exception of the guard', () => {
  it.each([
    ['localhost', { kind: 'name', name: 'localhost', port: null }],
    ['Hooks.LAN:8080', { kind: 'name', name: 'hooks.lan', port: 8080 }],
    ['hooks.lan:80', { kind: 'name', name: 'hooks.lan', port: 80 }],
    ['bücher.lan', { kind: 'name', name: 'xn--bcher-kva.lan', port: null }],
    ['web_hooks', { kind: 'name', name: 'web_hooks', port: null }],
    ['127.0.0.1', ONE_IPV4],
    ['127.1', ONE_IPV4],
    ['127.0.0.1:9000', { ...ONE_IPV4, port: 9000 }],
    ['::1', { kind: 'network', address: '::1', prefix: 128, port: null }],
    ['[::1]', { kind: 'network', address: '::1', prefix: 128, port: null }],
    ['[::1]:9000', { kind: 'network', address: '::1', prefix: 128, port: 9000 }],
    ['10.0.0.0/8', { kind: 'network', address: '10.0.0.0', prefix: 8, port: null }],
    ['fd00::/8', { kind: 'network', address: 'fd00::', prefix: 8, port: null }],
  ])('may be %s', (text, exception) => {
    expect(parseGuardException(text)).toEqual(exception)
  })

  it.each([
    '',
    '*',
    '*.lan',
    '.lan',
    'hooks.lan.',
    'hooks..lan',
    'http://hooks.lan',
    'hooks.lan/path',
    'user@hooks.lan',
    'hooks lan',
    'hooks\tlan',
    'hooks.lan:',
    'hooks.lan:0',
    'hooks.lan:65536',
    'hooks.lan:80:80',
    '256.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.0/8/8',
    '10.0.0.0/8:80',
    '::/129',
    '[::1',
    'fe80::1%eth0',
  ])('may not be %j', (text) => {
    expect(parseGuardException(text)).toBeUndefined()
  })
})
