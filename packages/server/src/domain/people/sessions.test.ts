import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memorySqliteStorage } from '../../../test-support/temporary-storage.ts'
import type { UserRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { mintDeviceToken } from './known-devices.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createSessions, type Device, type Sessions } from './sessions.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import { makeUser } from './users.ts'

const NOW = Date.UTC(2026, 10, 15)
const PASSWORD = 'correct horse'
const STRANGER: Device = { address: '1.1.1.1', userAgent: undefined, token: undefined }

let storage: Storage & AsyncDisposable
let passwords: Passwords
let sessions: Sessions
let ada: UserRecord
let lookups: string[]

beforeEach(async () => {
  storage = await memorySqliteStorage()
  passwords = createPasswords()
  lookups = []
  const rights = { role: 'admin', canSeeSecurity: true, projectIds: null } as const
  const invited = makeUser({ email: 'ada@example.com', name: 'Ada', ...rights, createdAt: NOW })
  ada = { ...invited, passwordHash: await passwords.hash(PASSWORD) }
  await storage.users.create(ada)
  const find = (idOrEmail: string) => {
    lookups.push(idOrEmail)
    return storage.users.find(idOrEmail)
  }
  sessions = createSessions({
    storage: { ...storage, users: { ...storage.users, find } },
    clock: () => NOW,
    passwords,
    throttle: createSignInThrottle(() => NOW),
    refresh: async () => {},
  })
})
afterEach(() => storage[Symbol.asyncDispose]())

const signIn = (password: string, device = STRANGER, email = ada.email) =>
  sessions.signIn({ email, password }, device).then(
    () => 'signed in',
    (error: { code?: string }) => error.code,
  )

describe('while strangers fill the queue of passwords', () => {
  /** Until it is awaited, there is no free place in their queue. */
  const flood = () =>
    Promise.all(Array.from({ length: 18 }, () => passwords.verify('a guess', ada.passwordHash, 'unknown')))

  it('a person can sign in in a known browser', async () => {
    const flooding = flood()
    const device = { ...STRANGER, token: mintDeviceToken(ada) }
    expect(await signIn(PASSWORD, device)).toBe('signed in')
    await flooding
  })

  it('attempts that could not be checked do not count as wrong', async () => {
    const flooding = flood()
    for (let time = 0; time < 30; time++) expect(await signIn(PASSWORD)).toBe('unavailable')
    await flooding
    expect(await signIn(PASSWORD)).toBe('signed in')
  })
})

describe('an attempt that comes too soon', () => {
  it('looks up no account, so that its duration does not reveal whether there is one', async () => {
    for (let guess = 0; guess < 10; guess++) expect(await signIn('a guess')).toBe('sign-in-failed')
    lookups = []
    expect(await signIn(PASSWORD)).toBe('rate-limited')
    expect(lookups).toEqual([])
  })

  it('takes at least as long as a lookup if the browser has a device token', async () => {
    const forged = { ...STRANGER, token: mintDeviceToken({ ...ada, passwordHash: 'another' }) }
    for (let guess = 0; guess < 10; guess++) expect(await signIn('a guess', forged)).toBe('sign-in-failed')
    for (const email of [ada.email, 'nobody@example.com']) {
      if (email !== ada.email) for (let guess = 0; guess < 10; guess++) await signIn('a guess', forged, email)
      const began = performance.now()
      expect(await signIn(PASSWORD, forged, email)).toBe('rate-limited')
      expect(performance.now() - began).toBeGreaterThan(20)
    }
  })
})
