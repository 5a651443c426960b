import { hash } from 'node:crypto'
import { MAX_SIGN_INS, MAX_VIEWS } from '@bugle/contract/vocabulary'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mintKey } from '../domain/keys.ts'
import { makeUser } from '../domain/users.ts'
import { mintUnshardedId, type UserId } from '../ids.ts'
import type { LinkRecord, SignInRecord, UserRecord, ViewRecord } from './records/users.ts'
import type { Storage } from './storage.ts'

const NOW = Date.UTC(2026, 10, 15)

/** The suite on people that every database passes. `open` gives an empty database each time. */
export function describeUserStorage(name: string, open: () => Promise<Storage & AsyncDisposable>): void {
  describe(`people: ${name}`, () => {
    let storage: Storage & AsyncDisposable

    beforeEach(async () => {
      storage = await open()
    })
    afterEach(() => storage[Symbol.asyncDispose]())

    async function addUser(email: string, wish: Partial<UserRecord> = {}): Promise<UserRecord> {
      const user = { ...userOf(email), ...wish }
      expect(await storage.users.create(user)).toBe('created')
      return user
    }

    async function addSignIn(user: UserRecord, wish: Partial<SignInRecord> = {}): Promise<SignInRecord> {
      const signIn = { ...signInOf(user.id), ...wish }
      expect(await storage.signIns.create(signIn, user.passwordHash)).toBe('created')
      return signIn
    }

    async function addLink(userId: UserId | null, wish: Partial<LinkRecord> = {}): Promise<LinkRecord> {
      const link = { ...linkOf(userId), ...wish }
      expect(await storage.users.createLink(link)).toBe('created')
      return link
    }

    const idsOf = async (user: UserRecord) => (await storage.signIns.list(user.id)).map(({ id }) => id)

    describe('a person', () => {
      it('is found by id and by e-mail address, with everything about them', async () => {
        const projectIds = [mintUnshardedId('prj', NOW), mintUnshardedId('prj', NOW)]
        const ada = await addUser('ada@example.com', {
          name: 'Ada "🌒" Grüße',
          role: 'triager',
          canSeeSecurity: true,
          projectIds,
        })
        const bob = await addUser('bob@example.com', { passwordHash: '$argon2id$x' })
        expect(await storage.users.find(ada.id)).toEqual(ada)
        expect(await storage.users.find('ada@example.com')).toEqual(ada)
        expect(await storage.users.find(bob.id)).toEqual(bob)
        expect(await storage.users.find('nobody@example.com')).toBeUndefined()
        expect(await storage.users.find(mintUnshardedId('usr', NOW))).toBeUndefined()
      })

      it('has an e-mail address of their own', async () => {
        await addUser('ada@example.com')
        const bob = await addUser('bob@example.com')
        expect(await storage.users.create(userOf('ada@example.com'))).toBe('email-taken')
        expect(await storage.users.update(bob.id, { email: 'ada@example.com', name: 'x' })).toBe(
          'email-taken',
        )
        expect(await storage.users.update(bob.id, { email: 'bob@example.com' })).toBe('updated')
        expect(await storage.users.find(bob.id)).toEqual(bob)
      })

      it('is listed in the order they came, in parts', async () => {
        const people = []
        for (const [index, letter] of [...'abcde'].entries())
          people.push(await addUser(`${letter}@example.com`, { id: mintUnshardedId('usr', NOW + index) }))
        expect(await storage.users.list(null, 2)).toEqual(people.slice(0, 2))
        expect(await storage.users.list(people[1]?.id ?? null, 10)).toEqual(people.slice(2))
      })

      it('changes only where it is told to, and everybody notices', async () => {
        const ada = await addUser('ada@example.com')
        const signIn = await addSignIn(ada)
        const version = await storage.catalogVersion()
        const change = { role: 'viewer', projectIds: [] } as const
        expect(await storage.users.update(ada.id, change)).toBe('updated')
        expect(await storage.users.find(ada.id)).toEqual({ ...ada, ...change })
        expect(await storage.catalogVersion()).not.toBe(version)
        expect(await storage.users.update(ada.id, { projectIds: null, canSeeSecurity: true })).toBe('updated')
        const changed = { ...ada, role: 'viewer', canSeeSecurity: true }
        expect(await storage.signIns.findByHash(signIn.hash)).toEqual({ user: changed, signIn })
        expect(await storage.users.update(mintUnshardedId('usr', NOW), { name: 'x' })).toBe('missing')
      })

      it('gets a new password, which ends every other sign-in of theirs and of nobody else', async () => {
        const ada = await addUser('ada@example.com')
        const kept = await addSignIn(ada)
        const ended = await addSignIn(ada)
        const others = await addSignIn(await addUser('bob@example.com'))
        const version = await storage.catalogVersion()
        const order = { userId: ada.id, currentHash: null, passwordHash: 'new', keptSignInId: kept.id }
        expect(await storage.users.setPassword(order)).toBe('set')
        expect((await storage.users.find(ada.id))?.passwordHash).toBe('new')
        expect(await storage.signIns.findByHash(ended.hash)).toBeUndefined()
        expect((await storage.signIns.findByHash(kept.hash))?.signIn).toEqual(kept)
        expect((await storage.signIns.findByHash(others.hash))?.signIn).toEqual(others)
        expect(await storage.catalogVersion()).not.toBe(version)
        expect(await storage.users.setPassword({ ...order, userId: mintUnshardedId('usr', NOW) })).toBe(
          'outdated',
        )
      })

      it('keeps their password where the one that was compared, or the sign-in, is there no more', async () => {
        const ada = await addUser('ada@example.com', { passwordHash: 'old' })
        const [kept, other] = [await addSignIn(ada), await addSignIn(ada)]
        const bobs = await addSignIn(await addUser('bob@example.com'))
        const order = { userId: ada.id, currentHash: 'old', passwordHash: 'x', keptSignInId: kept.id }
        const refused = [
          { ...order, currentHash: 'older' },
          { ...order, currentHash: null },
          { ...order, keptSignInId: mintUnshardedId('sgn', NOW) },
          { ...order, keptSignInId: bobs.id },
        ]
        for (const one of refused) expect(await storage.users.setPassword(one)).toBe('outdated')
        expect(await storage.users.find(ada.id)).toEqual(ada)
        expect((await idsOf(ada)).toSorted()).toEqual([kept.id, other.id].toSorted())
      })

      it('keeps the password of a link that was used while they changed theirs', async () => {
        const ada = await addUser('ada@example.com', { passwordHash: 'old' })
        for (let round = 0; round < 10; round++) {
          const currentHash = (await storage.users.find(ada.id))?.passwordHash ?? null
          const kept = await addSignIn({ ...ada, passwordHash: currentHash })
          const link = await addLink(ada.id, { hash: bytes(`link ${round}`) })
          const change = { userId: ada.id, currentHash, passwordHash: `own ${round}`, keptSignInId: kept.id }
          const acceptance = { hash: link.hash, at: NOW, passwordHash: `link ${round}`, name: null }
          const [changed, accepted] = await Promise.all([
            storage.users.setPassword(change),
            storage.users.acceptLink(acceptance),
          ])
          // Whoever was first: the one ends the link, the other the sign-in.
          expect([changed, accepted === 'missing']).toEqual(
            changed === 'set' ? ['set', true] : ['outdated', false],
          )
          const expected = changed === 'set' ? change.passwordHash : acceptance.passwordHash
          expect((await storage.users.find(ada.id))?.passwordHash).toBe(expected)
        }
      })

      it('is deleted with sign-ins, links and views, and nobody else is', async () => {
        const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
        const kept = await addSignIn(bob)
        const signIn = await addSignIn(ada)
        const link = await addLink(ada.id)
        await storage.views.create(viewOf(ada.id))
        const version = await storage.catalogVersion()
        expect(await storage.users.delete(ada.id)).toBe('deleted')
        expect(await storage.catalogVersion()).not.toBe(version)
        expect(await storage.users.find(ada.id)).toBeUndefined()
        expect(await storage.signIns.findByHash(signIn.hash)).toBeUndefined()
        expect(await storage.users.findLink(link.hash)).toBeUndefined()
        expect(await storage.views.list(ada.id)).toEqual([])
        expect(await storage.users.delete(ada.id)).toBe('missing')
        expect(await storage.signIns.create(signInOf(ada.id), ada.passwordHash)).toBe('outdated')
        expect(await storage.users.createLink(linkOf(ada.id))).toBe('no-user')
        expect(await storage.views.create(viewOf(ada.id))).toBe('no-user')
        expect((await storage.signIns.findByHash(kept.hash))?.user).toEqual(bob)
      })

      it('is called by name as an actor, like a key, until they are gone', async () => {
        const ada = await addUser('ada@example.com', { name: 'Ada' })
        const wish = { projectId: null, kind: 'secret', scopes: [], origins: [], createdAt: NOW } as const
        const [named, nameless] = [mintKey({ ...wish, name: 'CI' }).key, mintKey({ ...wish, name: null }).key]
        for (const key of [named, nameless]) await storage.keys.create(key)
        const gone = mintUnshardedId('usr', NOW)
        const names = await storage.events.findActorNames([ada.id, named.id, nameless.id, gone])
        expect([...names].sort()).toEqual(
          [
            [ada.id, 'Ada'],
            [named.id, 'CI'],
          ].sort(),
        )
        expect(await storage.events.findActorNames([])).toEqual(new Map())
      })
    })

    describe('a one-time link', () => {
      it('is found with its person, and takes the place of the one before', async () => {
        const ada = await addUser('ada@example.com')
        const first = await addLink(ada.id)
        const second = await addLink(ada.id)
        expect(await storage.users.findLink(first.hash)).toBeUndefined()
        expect(await storage.users.findLink(second.hash)).toEqual({ ...second, user: ada })
        expect(await storage.users.findLink(bytes('unknown'))).toBeUndefined()
      })

      it('ends with a new password and with another e-mail address, and with no other change', async () => {
        const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
        const bobs = await addLink(bob.id)
        const kept = await addSignIn(ada)
        const isThere = async ({ hash: linkHash }: LinkRecord) =>
          (await storage.users.findLink(linkHash)) !== undefined
        const first = await addLink(ada.id, { hash: bytes('first') })
        await storage.users.update(ada.id, { name: 'Countess', email: 'ada@example.com' })
        expect(await isThere(first)).toBe(true)
        await storage.users.update(ada.id, { email: 'countess@example.com' })
        expect(await isThere(first)).toBe(false)
        const second = await addLink(ada.id, { hash: bytes('second') })
        const order = { userId: ada.id, currentHash: null, passwordHash: 'new', keptSignInId: kept.id }
        await storage.users.setPassword(order)
        expect([await isThere(second), await isThere(bobs)]).toEqual([false, true])
      })

      it('sets the password once, and ends every sign-in', async () => {
        const ada = await addUser('ada@example.com')
        const { hash: linkHash } = await addLink(ada.id)
        const signIn = await addSignIn(ada)
        const order = { hash: linkHash, at: NOW, passwordHash: 'new', name: null }
        const outcomes = await Promise.all([storage.users.acceptLink(order), storage.users.acceptLink(order)])
        const accepted = { ...ada, passwordHash: 'new' }
        expect(outcomes).toContainEqual(accepted)
        expect(outcomes).toContain('missing')
        expect(await storage.users.find(ada.id)).toEqual(accepted)
        expect(await storage.signIns.findByHash(signIn.hash)).toBeUndefined()
      })

      it('may bring a new name, and no longer works when its time is over', async () => {
        const ada = await addUser('ada@example.com')
        const { hash: linkHash, expiresAt } = await addLink(ada.id)
        const order = { hash: linkHash, passwordHash: 'new', name: 'Countess' }
        expect(await storage.users.acceptLink({ ...order, at: expiresAt })).toBe('missing')
        expect(await storage.users.find(ada.id)).toEqual(ada)
        expect(await storage.users.acceptLink({ ...order, at: expiresAt - 1 })).toMatchObject({
          name: 'Countess',
        })
      })

      it('of nobody makes the first person, once', async () => {
        const links = [
          await addLink(null, { hash: bytes('one') }),
          await addLink(null, { hash: bytes('two') }),
        ]
        const orders = links.map((link, index) => ({
          hash: link.hash,
          at: NOW,
          user: { ...userOf(`${index}@example.com`), passwordHash: 'x' },
        }))
        for (const order of orders)
          expect(await storage.users.acceptLink({ ...order, passwordHash: 'x', name: null })).toBe('missing')
        const outcomes = await Promise.all(orders.map((order) => storage.users.acceptFirstLink(order)))
        expect(outcomes.toSorted()).toEqual(['created', 'missing'])
        expect(await storage.users.list(null, 10)).toEqual([orders[outcomes.indexOf('created')]?.user])
      })

      it('of nobody is over when somebody is there, by whichever way they came', async () => {
        const before = await addLink(null, { hash: bytes('before') })
        const ada = await addUser('ada@example.com')
        const after = await addLink(null, { hash: bytes('after') })
        for (const { hash: linkHash } of [before, after]) {
          expect(await storage.users.findLink(linkHash)).toBeUndefined()
          const order = { hash: linkHash, at: NOW, user: userOf('eve@example.com') }
          expect(await storage.users.acceptFirstLink(order)).toBe('missing')
        }
        expect(await storage.users.list(null, 10)).toEqual([ada])
        await storage.users.delete(ada.id)
        expect(await storage.users.findLink(before.hash)).toBeUndefined()
      })

      it('of a person makes nobody', async () => {
        const ada = await addUser('ada@example.com')
        const { hash: linkHash } = await addLink(ada.id)
        const order = { hash: linkHash, at: NOW, user: userOf('eve@example.com') }
        expect(await storage.users.acceptFirstLink(order)).toBe('missing')
        expect(await storage.users.find('eve@example.com')).toBeUndefined()
      })

      it('of nobody is kept ten times at most, the newest', async () => {
        const links = []
        for (let index = 0; index < 12; index++) links.push(await addLink(null, { createdAt: NOW + index }))
        const found = await Promise.all(links.map((link) => storage.users.findLink(link.hash)))
        expect(found.map((link) => link !== undefined)).toEqual(links.map((_, index) => index >= 2))
      })

      it('goes when it is over', async () => {
        const [over, kept] = [await addLink(null, { expiresAt: NOW }), await addLink(null)]
        await storage.users.expireLinks(NOW)
        expect(await storage.users.findLink(over.hash)).toBeUndefined()
        expect(await storage.users.findLink(kept.hash)).toBeDefined()
      })
    })

    describe('a sign-in', () => {
      it('is listed newest first, to its person alone', async () => {
        const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
        const first = await addSignIn(ada, { userAgent: 'Firefox', id: mintUnshardedId('sgn', NOW) })
        const second = await addSignIn(ada, { id: mintUnshardedId('sgn', NOW + 1) })
        await addSignIn(bob)
        expect(await storage.signIns.list(ada.id)).toEqual([second, first])
      })

      it('does not begin with a password that was replaced meanwhile', async () => {
        const ada = await addUser('ada@example.com', { passwordHash: 'old' })
        const kept = await addSignIn(ada)
        const order = { userId: ada.id, currentHash: 'old', passwordHash: 'new', keptSignInId: kept.id }
        await storage.users.setPassword(order)
        for (const passwordHash of ['old', null])
          expect(await storage.signIns.create(signInOf(ada.id), passwordHash)).toBe('outdated')
        expect(await idsOf(ada)).toEqual([kept.id])
        expect(await storage.signIns.create(signInOf(ada.id), 'new')).toBe('created')
      })

      it('is ended by its person alone, and everybody notices', async () => {
        const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
        const { id, hash: signInHash } = await addSignIn(ada)
        expect(await storage.signIns.end(bob.id, id)).toBe('missing')
        expect(await storage.signIns.findByHash(signInHash)).toBeDefined()
        const version = await storage.catalogVersion()
        expect(await storage.signIns.end(ada.id, id)).toBe('ended')
        expect(await storage.catalogVersion()).not.toBe(version)
        expect(await storage.signIns.findByHash(signInHash)).toBeUndefined()
        expect(await storage.signIns.end(ada.id, id)).toBe('missing')
      })

      it('ends with all others of its person, and with nobody else', async () => {
        const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
        for (const user of [ada, ada, bob]) await addSignIn(user)
        const version = await storage.catalogVersion()
        await storage.signIns.endAll(ada.id)
        expect(await storage.catalogVersion()).not.toBe(version)
        expect([await idsOf(ada), (await idsOf(bob)).length]).toEqual([[], 1])
      })

      it('that is one too many ends the one not seen for longest, and everybody notices', async () => {
        const ada = await addUser('ada@example.com')
        const signIns = []
        for (let index = 0; index < MAX_SIGN_INS; index++)
          signIns.push(await addSignIn(ada, { lastSeenAt: NOW + index }))
        const stalest = signIns[1]
        if (stalest === undefined || signIns[0] === undefined) throw new Error('there are sign-ins')
        await storage.signIns.recordUses([{ id: signIns[0].id, at: NOW + 1_000 }])
        const version = await storage.catalogVersion()
        await addSignIn(ada, { lastSeenAt: NOW + 2_000 })
        const ids = await idsOf(ada)
        expect(ids).toHaveLength(MAX_SIGN_INS)
        expect([ids.includes(stalest.id), ids.includes(signIns[0].id)]).toEqual([false, true])
        expect(await storage.catalogVersion()).not.toBe(version)
      })

      it('remembers when it was last used, never an earlier time, and nobody need be told', async () => {
        const signIn = await addSignIn(await addUser('ada@example.com'))
        const version = await storage.catalogVersion()
        const gone = mintUnshardedId('sgn', NOW)
        await storage.signIns.recordUses([
          { id: signIn.id, at: NOW + 5 },
          { id: gone, at: NOW },
        ])
        await storage.signIns.recordUses([{ id: signIn.id, at: NOW + 3 }])
        const found = await storage.signIns.findByHash(signIn.hash)
        expect(found?.signIn).toEqual({ ...signIn, lastSeenAt: NOW + 5 })
        expect(await storage.catalogVersion()).toBe(version)
      })

      it('goes when it is too old or was not seen for too long', async () => {
        const ada = await addUser('ada@example.com')
        const kept = await addSignIn(ada, { createdAt: NOW, lastSeenAt: NOW + 10 })
        await addSignIn(ada, { createdAt: NOW - 1, lastSeenAt: NOW + 10 })
        await addSignIn(ada, { createdAt: NOW, lastSeenAt: NOW + 9 })
        while (await storage.signIns.expireSome({ createdAt: NOW, lastSeenAt: NOW + 10 }));
        expect(await idsOf(ada)).toEqual([kept.id])
      })
    })

    describe('a view', () => {
      it('is kept for its person alone, in the order they were saved', async () => {
        const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
        const first = viewOf(ada.id, { name: 'Crashes 💥', query: 'q=%22a%22&status=open', createdAt: NOW })
        const second = viewOf(ada.id, { id: mintUnshardedId('viw', NOW + 1) })
        for (const view of [first, second]) expect(await storage.views.create(view)).toBe('created')
        expect(await storage.views.list(ada.id)).toEqual([first, second])
        expect(await storage.views.list(bob.id)).toEqual([])
        expect(await storage.views.delete(bob.id, first.id)).toBe('missing')
        expect(await storage.views.delete(ada.id, first.id)).toBe('deleted')
        expect(await storage.views.list(ada.id)).toEqual([second])
      })

      it('is one of 50 at most, also when many are saved at once', async () => {
        const ada = await addUser('ada@example.com')
        const wishes = Array.from({ length: MAX_VIEWS + 5 }, () => storage.views.create(viewOf(ada.id)))
        const outcomes = await Promise.all(wishes)
        expect(outcomes.filter((outcome) => outcome === 'too-many')).toHaveLength(5)
        expect(await storage.views.list(ada.id)).toHaveLength(MAX_VIEWS)
      })
    })
  })
}

function userOf(email: string): UserRecord {
  const rights = { role: 'admin', canSeeSecurity: false, projectIds: null } as const
  return makeUser({ email, name: 'Somebody', ...rights, createdAt: NOW })
}

function signInOf(userId: UserId): SignInRecord {
  const id = mintUnshardedId('sgn', NOW)
  return { id, userId, hash: bytes(id), userAgent: null, createdAt: NOW, lastSeenAt: NOW }
}

function linkOf(userId: UserId | null): LinkRecord {
  return { hash: bytes(mintUnshardedId('sgn', NOW)), userId, createdAt: NOW, expiresAt: NOW + 1_000 }
}

function viewOf(userId: UserId, wish: Partial<ViewRecord> = {}): ViewRecord {
  const [id, projectId] = [mintUnshardedId('viw', NOW), mintUnshardedId('prj', NOW)]
  return { id, userId, projectId, name: 'View', query: '', createdAt: NOW, ...wish }
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(hash('sha256', text, 'buffer'))
}
