import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StorageUnavailable } from '../storage/storage.ts'
import { DomainError } from './domain-error.ts'
import { createFaultLog } from './fault-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watchedLog() {
  const lines: object[] = []
  const log = (level: string) => (fields: object, text: string) => void lines.push({ level, text, ...fields })
  return { lines, log: createFaultLog({ warn: log('warn'), info: log('info') }) }
}

const full = () => new StorageUnavailable('The disk is full.', { cause: new Error('SQLITE_FULL') })

it('a fault is one line when it begins, and one with a count when it is over', () => {
  const { lines, log } = watchedLog()
  for (let n = 0; n < 100; n++) {
    log.note('requests are refused', full())
    vi.advanceTimersByTime(1_000)
  }
  const begun = {
    level: 'warn',
    text: 'requests are refused',
    reason: 'The disk is full.',
    cause: 'SQLITE_FULL',
  }
  expect(lines).toEqual([begun])
  vi.advanceTimersByTime(10_000)
  expect(lines.slice(1)).toEqual([
    {
      level: 'info',
      text: 'resolved: requests are refused',
      reason: 'The disk is full.',
      count: 100,
      seconds: 99,
    },
  ])
  log.note('requests are refused', full())
  expect(lines.slice(2)).toEqual([begun])
})

it('another reason and other work are other faults', () => {
  const { lines, log } = watchedLog()
  for (let n = 0; n < 3; n++) {
    log.note('requests are refused', full())
    log.note('requests are refused', new DomainError('unavailable', { detail: 'Too many.' }))
    log.note('keys could not be refreshed', full())
  }
  expect(lines).toHaveLength(3)
  log.close()
  expect(lines.slice(3)).toMatchObject([{ count: 3 }, { count: 3 }, { count: 3 }])
})

it('expected faults have no stack; a bug has one', () => {
  const { lines, log } = watchedLog()
  log.note('requests are refused', full())
  log.note('requests are refused', new TypeError('x is not a function'))
  expect(JSON.stringify(lines[0])).not.toContain('fault-log.test')
  expect(lines[1]).toMatchObject({ reason: 'x is not a function', err: expect.any(TypeError) })
})

it('work that is repeated rarely is over when it has succeeded', () => {
  const { lines, log } = watchedLog()
  for (let n = 0; n < 5; n++) {
    log.note('old events could not be removed', full(), 1_500_000)
    vi.advanceTimersByTime(600_000)
  }
  expect(lines).toHaveLength(1)
})
