import { expect, test } from 'vitest'
import { joinList, splitList } from './lists.ts'

test.each([
  ['', ['']],
  ['a', ['a']],
  ['a,b', ['a', 'b']],
  ['a,,b,', ['a', '', 'b', '']],
  ['1.0\\,beta', ['1.0,beta']],
  ['1.0\\,beta,2.0', ['1.0,beta', '2.0']],
  ['a\\\\,b', ['a\\', 'b']],
  ['feature\\x', ['feature\\x']],
  ['a\\', ['a\\']],
  ['\\\\\\,', ['\\,']],
])('%j are the values %j', (text, values) => {
  expect(splitList(text)).toEqual(values)
})

test.each([[['a', 'b']], [['1.0,beta', 'x\\', '\\,', '']], [[',', '\\\\', 'ü']]])(
  '%j survive a round trip',
  (values) => {
    expect(splitList(joinList(values))).toEqual(values)
  },
)

test('splits a long text quickly', () => {
  const before = process.cpuUsage()
  expect(splitList('\\,'.repeat(8_000))).toEqual([','.repeat(8_000)])
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000)
})
