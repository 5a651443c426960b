import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPasswords, type PasswordLane } from './passwords.ts'

const passwords = createPasswords()

describe('a password', () => {
  it('is hashed with argon2id at the cost OWASP recommends, with a new salt each time', async () => {
    const hashes = [await passwords.hash('correct horse'), await passwords.hash('correct horse')]
    for (const hash of hashes)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(hashes[0]).not.toBe(hashes[1])
  })

  it.each<[what: string, password: string, isRight: boolean]>([
    ['itself', 'Grüße an 🐴', true],
    ['itself, in another Unicode normalisation', 'Gru\u0308ße an 🐴', true],
    ['another', 'Grüße an 🐎', false],
    ['itself in capitals', 'GRÜSSE AN 🐴', false],
    ['itself with a space', 'Grüße an 🐴 ', false],
    ['nothing', '', false],
  ])('is compared with %s', async (_, password, isRight) => {
    expect(await passwords.verify(password, await passwords.hash('Grüße an 🐴'), 'unknown')).toBe(isRight)
  })

  it('of an unknown person is refused in the same time', async () => {
    const hash = await passwords.hash('correct horse')
    // In CPU time of the process, which a busy machine does not increase.
    const costOf = async (known: string | null) => {
      const began = process.cpuUsage()
      expect(await passwords.verify('wrong', known, 'unknown')).toBe(false)
      const { user, system } = process.cpuUsage(began)
      return user + system
    }
    const costs = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
    for (let time = 0; time < 5; time++) {
      costs.known = Math.min(costs.known, await costOf(hash))
      costs.unknown = Math.min(costs.unknown, await costOf(null))
    }
    expect(costs.unknown / costs.known).toBeGreaterThan(0.5)
  })

  it('is hashed outside of the event loop', async () => {
    let most = 0
    // The best of several, because a busy machine may suspend the event loop while it runs the other thread.
    for (let attempt = 0; attempt < 5 && most <= 3; attempt++) {
      let isHashed = false
      let turns = 0
      const hashing = passwords.hash('correct horse').then(() => (isHashed = true))
      while (!isHashed) {
        await nextTurn()
        turns++
      }
      await hashing
      most = Math.max(most, turns)
    }
    expect(most).toBeGreaterThan(3)
  })

  it('waits for its turn, and is refused if too many wait', async () => {
    const attempts = Array.from({ length: 21 }, () => passwords.hash('correct horse'))
    const outcomes = await Promise.allSettled(attempts)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } })
    expect(await passwords.hash('correct horse')).toMatch(/^\$argon2id/)
  })

  it('of a known person has its own queue, which is served first', async () => {
    const hash = await passwords.hash('correct horse')
    const ended: string[] = []
    const verify = (lane: PasswordLane) =>
      passwords.verify('correct horse', hash, lane).finally(() => ended.push(lane))
    const flood = Array.from({ length: 30 }, () => verify('unknown'))
    const known = verify('known')
    const outcomes = await Promise.allSettled(flood)
    expect(await known).toBe(true)
    const served = ended.slice(-19)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(18)
    // Only the two that were already in progress start before it; some that start later may finish before it on a busy machine.
    expect(served.indexOf('known')).toBeLessThan(9)
  })
})
