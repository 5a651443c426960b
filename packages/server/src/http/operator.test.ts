import { expect, test } from 'vitest'
import { isLocalHost, isNeighbour } from './operator.ts'

const OWN = { host: '127.0.0.1:4000' }

test.each([
  ['127.0.0.1', { ...OWN, 'user-agent': 'x' }, true],
  ['127.8.8.8', OWN, true],
  ['::1', { host: '[::1]:4000' }, true],
  ['::ffff:127.0.0.1', { host: 'localhost' }, true],
  ['10.0.0.7', OWN, false],
  ['::ffff:10.0.0.7', OWN, false],
  ['fe80::1', OWN, false],
  [undefined, OWN, false],
  ['127.0.0.1', {}, false],
  ['127.0.0.1', { host: 'bugle.example' }, false],
  ['127.0.0.1', { host: '10.0.0.7:4000' }, false],
  ['127.0.0.1', { ...OWN, 'x-forwarded-for': '10.0.0.7' }, false],
  ['127.0.0.1', { ...OWN, 'x-forwarded-proto': 'https' }, false],
  ['127.0.0.1', { ...OWN, forwarded: 'for=10.0.0.7' }, false],
  ['127.0.0.1', { ...OWN, via: '1.1 proxy' }, false],
  ['::1', { ...OWN, 'x-real-ip': '10.0.0.7' }, false],
  ['::1', { ...OWN, 'cf-connecting-ip': '10.0.0.7' }, false],
])(
  'a request from %s with the headers %j comes from this machine itself: %j',
  (address, headers, expected) => {
    expect(isNeighbour(address, headers)).toBe(expected)
  },
)

test.each([
  ['localhost', true],
  ['LOCALHOST:4000', true],
  ['127.0.0.1:4000', true],
  ['127.8.8.8', true],
  ['[::1]', true],
  ['[::ffff:127.0.0.1]:4000', true],
  ['127.0.0.1.bugle.example', false],
  ['localhost.bugle.example', false],
  ['bugle.example@127.0.0.1', false],
  ['127.0.0.1/', false],
  ['0.0.0.0', false],
  ['[::]', false],
  ['', false],
  [':4000', false],
])('%j is this machine: %j', (host, expected) => {
  expect(isLocalHost(host)).toBe(expected)
})
