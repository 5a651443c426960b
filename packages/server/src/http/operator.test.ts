import { expect, test } from 'vitest'
import { isNeighbour } from './operator.ts'

test.each([
  ['127.0.0.1', ['host', 'user-agent'], true],
  ['127.8.8.8', [], true],
  ['::1', [], true],
  ['::ffff:127.0.0.1', [], true],
  ['10.0.0.7', [], false],
  ['::ffff:10.0.0.7', [], false],
  ['fe80::1', [], false],
  [undefined, [], false],
  ['127.0.0.1', ['host', 'x-forwarded-for'], false],
  ['127.0.0.1', ['x-forwarded-proto'], false],
  ['127.0.0.1', ['forwarded'], false],
  ['127.0.0.1', ['via'], false],
  ['::1', ['x-real-ip'], false],
  ['::1', ['cf-connecting-ip'], false],
])('a request from %s with the headers %j comes from this machine itself: %j', (address, names, expected) => {
  expect(isNeighbour(address, names)).toBe(expected)
})
