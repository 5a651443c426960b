import { beforeEach, describe, expect, it } from 'vitest'
import { DomainError } from '../domain-error.ts'
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts'

let now = 0
let throttle: SignInThrottle

beforeEach(() => {
  now = Date.UTC(2026, 10, 15)
  throttle = createSignInThrottle(() => now)
})

/** How long to wait for an attempt, in seconds; 0: it was admitted. */
function wait(address: string, email: string | null, deviceId: string | null = null): number {
  try {
    if (email === null) throttle.admitLink(address)
    else throttle.admit({ address, email, deviceId })
    return 0
  } catch (error) {
    if (error instanceof DomainError && error.code === 'rate-limited') return error.retryAfterSeconds ?? NaN
    throw error
  }
}

/** How many attempts are admitted before one is refused. */
function admitted(attempt: (index: number) => number): number {
  let count = 0
  while (attempt(count) === 0) count++
  return count
}

describe('attempts to sign in', () => {
  it('are limited to ten a minute per account and address', () => {
    expect(admitted(() => wait('1.1.1.1', 'ada@example.com'))).toBe(10)
    expect(wait('1.1.1.1', 'ada@example.com')).toBe(6)
    now += 5_999
    expect(wait('1.1.1.1', 'ada@example.com')).toBe(1)
    now += 1
    expect(wait('1.1.1.1', 'ada@example.com')).toBe(0)
  })

  it('are limited to thirty a minute per address, for any accounts', () => {
    expect(admitted((index) => wait('1.1.1.1', `${index}@example.com`))).toBe(30)
    expect(wait('2.2.2.2', '0@example.com')).toBe(0)
  })

  it('are limited to forty a minute per account, from anywhere: three addresses cannot lock a person out', () => {
    for (const address of ['1.1.1.1', '2.2.2.2', '3.3.3.3'])
      expect(admitted(() => wait(address, 'ada@example.com'))).toBe(10)
    expect(wait('4.4.4.4', 'ada@example.com')).toBe(0)
    const others = (index: number) => wait(`5.5.5.${index}`, 'ada@example.com')
    expect(admitted(others)).toBe(9)
  })

  it('lock no one out: whatever others try, a link works, and a minute later everything does', () => {
    for (let index = 0; index < 200; index++) wait(`5.5.${index}.1`, 'ada@example.com')
    expect(wait('9.9.9.9', 'ada@example.com')).toBeGreaterThan(0)
    expect(wait('9.9.9.9', null)).toBe(0)
    now += 60_000
    expect(admitted(() => wait('9.9.9.9', 'ada@example.com'))).toBe(10)
  })

  it('count only if they were wrong', () => {
    for (let index = 0; index < 100; index++)
      throttle.admit({ address: '1.1.1.1', email: 'ada@example.com', deviceId: null }).forgive()
    expect(admitted(() => wait('1.1.1.1', 'ada@example.com'))).toBe(10)
  })

  it('are limited to ten a minute in a known browser, whatever strangers try at its address or account', () => {
    for (let index = 0; index < 200; index++) wait(`5.5.${index}.1`, 'ada@example.com')
    for (let index = 0; index < 31; index++) wait('1.1.1.1', `${index}@example.com`)
    expect(wait('1.1.1.1', 'ada@example.com')).toBeGreaterThan(0)
    expect(admitted(() => wait('1.1.1.1', 'ada@example.com', 'known'))).toBe(10)
    expect(wait('2.2.2.2', 'ada@example.com', 'known')).toBe(6)
    expect(wait('1.1.1.1', 'ada@example.com', 'other')).toBe(0)
  })

  it('that were refused evict no one: a flood of invented accounts creates no buckets', () => {
    expect(admitted(() => wait('2.2.2.2', 'ada@example.com'))).toBe(10)
    for (let index = 0; index < 30_000; index++) wait('1.1.1.1', `${index}@example.com`)
    expect(wait('2.2.2.2', 'ada@example.com')).toBe(6)
  })

  it('count only if they could be checked', async () => {
    for (let index = 0; index < 100; index++) {
      const attempt = throttle.admit({ address: '1.1.1.1', email: 'ada@example.com', deviceId: null })
      await expect(attempt.judge(Promise.reject(new Error('overload')))).rejects.toThrow('overload')
    }
    expect(admitted(() => wait('1.1.1.1', 'ada@example.com'))).toBe(10)
  })

  it('with links are limited to thirty a minute per address', () => {
    expect(admitted(() => wait('1.1.1.1', null))).toBe(30)
    expect(wait('1.1.1.1', 'ada@example.com')).toBe(0)
  })
})
