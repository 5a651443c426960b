import { expect, test } from 'vitest'
import { type Acceleration, onShake } from './shake.ts'

/** A device with a sensor and a clock. */
function device() {
  let now = 1_000_000
  let shakes = 0
  let listener: ((acceleration: Acceleration) => void) | undefined
  const sensor = {
    addListener(given: (acceleration: Acceleration) => void) {
      listener = given
      return {
        remove() {
          listener = undefined
        },
      }
    },
  }
  const stop = onShake(
    sensor,
    () => void shakes++,
    () => now,
  )
  return {
    stop,
    count: () => shakes,
    isHeard: () => listener !== undefined,
    /** Moves with these strengths, one every so many milliseconds. */
    move(strengths: readonly number[], everyMs: number) {
      for (const strength of strengths) {
        now += everyMs
        listener?.({ x: strength, y: 0, z: 0 })
      }
    },
  }
}

test('a shake is three strong movements within a second, and is reported once', () => {
  const phone = device()
  phone.move([1, 2.5, 1, 2.5, 1, 2.5, 1, 2.5, 1, 2.5, 1, 2.5], 100)
  expect(phone.count()).toBe(1)
  phone.move([1, 1], 1_500)
  phone.move([2.5, 2.5, 2.5], 200)
  expect(phone.count()).toBe(2)
})

test.each([
  ['walking', [1.2, 0.8, 1.3, 0.9, 1.4, 1.2, 1.5], 300],
  ['one bump, as the sensor sees it', [1, 3, 3, 3, 3, 1, 1], 10],
  ['bumps that are far apart', [3, 1, 3, 1, 3, 1, 3], 600],
])('%s is none', (_, strengths, everyMs) => {
  const phone = device()
  phone.move(strengths, everyMs)
  expect(phone.count()).toBe(0)
})

test('it can be stopped', () => {
  const phone = device()
  phone.stop()
  expect(phone.isHeard()).toBe(false)
})
