import { expect, test } from 'vitest'
import { createMemoryPool } from './memory-pool.ts'

test('requests share the pool, and return what they held', () => {
  const pool = createMemoryPool(100)
  const first = pool.open()
  const second = pool.open()
  expect([first.take(60), second.take(60), second.take(40), second.take(1)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  expect([second.take(61), second.take(60)]).toEqual([false, true])
})

test('the first bytes of each request are free', () => {
  const pool = createMemoryPool(100)
  const first = pool.open(10)
  expect([first.take(7), first.take(103), first.take(1)]).toEqual([true, true, false])
  const second = pool.open(10)
  expect([second.take(10), second.take(1)]).toEqual([true, false])
})

test('without room, a request is refused for now', () => {
  const holding = createMemoryPool(1).open()
  holding.require(1)
  expect(() => holding.require(1)).toThrow(
    expect.objectContaining({ code: 'unavailable', retryAfterSeconds: expect.any(Number) }),
  )
})

test('what a request gives back can be taken again, and no more than that', () => {
  const pool = createMemoryPool(100)
  const first = pool.open()
  first.take(100)
  first.giveBack(40)
  const second = pool.open()
  expect([second.take(41), second.take(40)]).toEqual([false, true])
  first.giveBack(1_000)
  expect([second.take(61), second.take(60)]).toEqual([false, true])
})
