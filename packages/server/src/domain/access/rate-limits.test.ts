import type { KeyKind } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { mintUnshardedId, type ProjectId } from '../../model/ids.ts'
import { mintKey } from '../projects/keys.ts'
import { ANONYMOUS, type Caller } from './access.ts'
import { createRateLimiter, DEFAULT_RATE_LIMITS, type Policy, type Subject } from './rate-limits.ts'

const NOW = Date.UTC(2026, 10, 15)
const PROJECT = mintUnshardedId('prj', NOW)
const publicCaller = callerWith('public', PROJECT)
const secretCaller = callerWith('secret', PROJECT)
const instanceCaller = callerWith('secret', null)

describe('the limits that apply', () => {
  it.each<[who: string, caller: Caller, isSubmission: boolean, policies: readonly Policy[]]>([
    ['an anonymous reader', ANONYMOUS, false, ['anonymous']],
    ['an anonymous submission', ANONYMOUS, true, ['anonymous']],
    ['a public key that submits', publicCaller, true, ['submit', 'project']],
    ['a public key that reads', publicCaller, false, ['anonymous']],
    ['a secret key that submits', secretCaller, true, ['submit', 'project', 'secret']],
    ['a secret key that reads', secretCaller, false, ['secret']],
    ['a key for all projects that tries to submit', instanceCaller, true, ['submit', 'secret']],
  ])('for %s', (_, caller, isSubmission, policies) => {
    const { levels } = createRateLimiter(DEFAULT_RATE_LIMITS).judge(subject({ caller, isSubmission }), NOW)
    expect(levels.map(({ policy }) => policy)).toEqual(policies)
    expect(levels.map(({ quota }) => quota)).toEqual(policies.map((policy) => DEFAULT_RATE_LIMITS[policy]))
  })
})

describe('a rate limiter', () => {
  const tight = { submit: 2, project: 3, upload: 1, secret: 2, anonymous: 1, credentials: 1, bulk: 3_000 }

  it('counts submissions by key and by address, and all of a project together', () => {
    const limiter = createRateLimiter(tight)
    const submitFrom = (address: string, caller = publicCaller) =>
      limiter.judge(subject({ caller, address, isSubmission: true }), NOW).exceeded?.policy
    expect([submitFrom('a'), submitFrom('a'), submitFrom('a')]).toEqual([undefined, undefined, 'submit'])
    expect([submitFrom('b'), submitFrom('b')]).toEqual([undefined, 'project'])
    expect(submitFrom('a', callerWith('public', mintUnshardedId('prj', NOW)))).toBeUndefined()
  })

  it('counts a secret key wherever it is used', () => {
    const limiter = createRateLimiter(tight)
    const readFrom = (address: string) =>
      limiter.judge(subject({ caller: secretCaller, address }), NOW).exceeded?.policy
    expect([readFrom('a'), readFrom('b'), readFrom('c')]).toEqual([undefined, undefined, 'secret'])
  })

  it('counts readers with a public key and anonymous readers separately', () => {
    const limiter = createRateLimiter(tight)
    for (const caller of [ANONYMOUS, publicCaller, callerWith('public', PROJECT)]) {
      expect(limiter.judge(subject({ caller }), NOW).exceeded).toBeUndefined()
      expect(limiter.judge(subject({ caller }), NOW).exceeded?.policy).toBe('anonymous')
    }
  })

  it('limits wrong keys by address, without delaying valid ones', () => {
    const limiter = createRateLimiter(tight)
    expect(limiter.judgeFailure('a', NOW).exceeded).toBeUndefined()
    expect(limiter.judgeFailure('a', NOW).exceeded?.policy).toBe('credentials')
    expect(limiter.judgeFailure('b', NOW).exceeded).toBeUndefined()
    expect(limiter.judge(subject({ caller: secretCaller }), NOW).exceeded).toBeUndefined()
  })

  it('returns the limit with the longest wait', () => {
    const limiter = createRateLimiter({ ...tight, submit: 1, secret: 60 })
    const call = subject({ caller: secretCaller, isSubmission: true })
    for (let spent = 0; spent < 59; spent++) limiter.judge({ ...call, isSubmission: false }, NOW)
    expect(limiter.judge(call, NOW).exceeded).toBeUndefined()
    expect(limiter.judge(call, NOW).exceeded).toMatchObject({ policy: 'submit', nextAfterMs: 60_000 })
  })

  it('charges bulk changes of a project for the time they took', () => {
    const limiter = createRateLimiter(tight)
    for (let count = 0; count < 29; count++) limiter.reserveBulk(PROJECT, NOW)(70, NOW)
    // 970 ms are left, and one change may take a third of 3,000.
    expect(() => limiter.reserveBulk(PROJECT, NOW)).toThrow(
      'Bulk changes of a project may take 3000 ms a minute. Try again in 1 s.',
    )
    limiter.reserveBulk(PROJECT, NOW + 600)(70, NOW + 600)
    limiter.reserveBulk(mintUnshardedId('prj', NOW), NOW)
  })

  it('never refuses three bulk changes of a project in a minute, however long they take', () => {
    const limiter = createRateLimiter(tight)
    const change = (at: number) => limiter.reserveBulk(PROJECT, NOW + at)(90_000, NOW + at)
    for (const at of [0, 0, 0, 60_000, 60_000, 60_000]) change(at)
    expect(() => change(60_000)).toThrow('Try again in 20 s.')
    expect(() => change(79_999)).toThrow('Try again in 1 s.')
    change(80_000)
  })

  it('reserves the time of bulk changes that are in progress', () => {
    const limiter = createRateLimiter(tight)
    const inProgress = [1, 2, 3].map(() => limiter.reserveBulk(PROJECT, NOW))
    expect(() => limiter.reserveBulk(PROJECT, NOW)).toThrow('Try again in 20 s.')
    inProgress[0]?.(0, NOW)
    limiter.reserveBulk(PROJECT, NOW)
  })

  it('grants its share of each limit, at least one request', () => {
    const limiter = createRateLimiter({ ...tight, submit: 120 })
    limiter.setShare(1 / 3)
    const { levels } = limiter.judge(subject({ caller: publicCaller, isSubmission: true }), NOW)
    expect(levels.map(({ quota }) => quota)).toEqual([40, 1])
  })
})

function subject(overrides: Partial<Subject>): Subject {
  return { caller: ANONYMOUS, address: '203.0.113.7', isSubmission: false, ...overrides }
}

function callerWith(kind: KeyKind, projectId: ProjectId | null): Caller {
  const { key } = mintKey({ projectId, kind, name: null, scopes: [], origins: [], createdAt: NOW })
  return { kind: 'key', key }
}
