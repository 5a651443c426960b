import { hash } from 'node:crypto'
import { expect } from 'vitest'
import { mintAccessToken } from '../src/domain/people/access-tokens.ts'
import { makeUser } from '../src/domain/people/users.ts'
import { mintUnshardedId, type UserId } from '../src/model/ids.ts'
import type { AccessTokenRecord } from '../src/model/people/access-tokens.ts'
import type { LinkRecord, SignInRecord, UserRecord, ViewRecord } from '../src/model/people/users.ts'
import type { Storage } from '../src/storage/storage.ts'
import { NOW, setStorageStage } from './storage-stage.ts'

export type PeopleStage = ReturnType<typeof setPeopleStage>

/** An empty database for each test of how people are stored, and helpers for these tests. */
export function setPeopleStage(open: () => Promise<Storage & AsyncDisposable>) {
  const stage = setStorageStage(open)

  return Object.assign(stage, {
    async addUser(email: string, overrides: Partial<UserRecord> = {}): Promise<UserRecord> {
      const user = { ...userOf(email), ...overrides }
      expect(await stage.storage.users.create(user)).toBe('created')
      return user
    },

    async addSignIn(user: UserRecord, overrides: Partial<SignInRecord> = {}): Promise<SignInRecord> {
      const signIn = { ...signInOf(user.id), ...overrides }
      expect(await stage.storage.signIns.create(signIn, user.passwordHash)).toBe('created')
      return signIn
    },

    async addLink(userId: UserId | null, overrides: Partial<LinkRecord> = {}): Promise<LinkRecord> {
      const link = { ...linkOf(userId), ...overrides }
      expect(await stage.storage.users.createLink(link)).toBe('created')
      return link
    },

    idsOf: async (user: UserRecord) => (await stage.storage.signIns.list(user.id)).map(({ id }) => id),
  })
}

export function userOf(email: string): UserRecord {
  const rights = { role: 'admin', canSeeSecurity: false, projectIds: null } as const
  return makeUser({ email, name: 'Somebody', ...rights, createdAt: NOW })
}

export function signInOf(userId: UserId): SignInRecord {
  const id = mintUnshardedId('sgn', NOW)
  return { id, userId, hash: bytes(id), userAgent: null, createdAt: NOW, lastSeenAt: NOW }
}

export function linkOf(userId: UserId | null): LinkRecord {
  return { hash: bytes(mintUnshardedId('sgn', NOW)), userId, createdAt: NOW, expiresAt: NOW + 1_000 }
}

export function tokenOf(userId: UserId, overrides: Partial<AccessTokenRecord> = {}): AccessTokenRecord {
  const given = { userId, name: 'Script', scopes: ['issues:read'] as const, createdAt: NOW, expiresAt: null }
  const { record } = mintAccessToken(given)
  return { ...record, hash: new Uint8Array(record.hash), ...overrides }
}

export function viewOf(userId: UserId, overrides: Partial<ViewRecord> = {}): ViewRecord {
  const [id, projectId] = [mintUnshardedId('viw', NOW), mintUnshardedId('prj', NOW)]
  return { id, userId, projectId, name: 'View', query: '', isShared: false, createdAt: NOW, ...overrides }
}

export function bytes(text: string): Uint8Array {
  return new Uint8Array(hash('sha256', text, 'buffer'))
}
