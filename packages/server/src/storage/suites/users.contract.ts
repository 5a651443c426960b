import { describe, expect, it } from 'vitest'
import {
  bytes,
  linkOf,
  type PeopleStage,
  setPeopleStage,
  signInOf,
  userOf,
  viewOf,
} from '../../../test-support/people-stage.ts'
import { NOW } from '../../../test-support/storage-stage.ts'
import { mintKey } from '../../domain/projects/keys.ts'
import { mintUnshardedId } from '../../model/ids.ts'
import type { Storage } from '../storage.ts'
import { describeAccessTokens } from './access-tokens.contract.ts'
import { describeLinks } from './links.contract.ts'
import { describeSignIns } from './sign-ins.contract.ts'
import { describeViews } from './views.contract.ts'

/** The suite on people that every database passes. `open` returns an empty database each time. */
export function describeUserStorage(name: string, open: () => Promise<Storage & AsyncDisposable>): void {
  describe(`people: ${name}`, () => {
    const stage = setPeopleStage(open)

    describeUsers(stage)
    describeLinks(stage)
    describeSignIns(stage)
    describeAccessTokens(stage)
    describeViews(stage)
  })
}

function describeUsers(stage: PeopleStage): void {
  const { addUser, addSignIn, addLink, idsOf } = stage

  describe('a person', () => {
    it('is found by id and by email address, with all fields', async () => {
      const projectIds = [mintUnshardedId('prj', NOW), mintUnshardedId('prj', NOW)]
      const ada = await addUser('ada@example.com', {
        name: 'Ada "🌒" Grüße',
        role: 'triager',
        canSeeSecurity: true,
        projectIds,
      })
      const bob = await addUser('bob@example.com', { passwordHash: '$argon2id$x' })
      expect(await stage.storage.users.find(ada.id)).toEqual(ada)
      expect(await stage.storage.users.find('ada@example.com')).toEqual(ada)
      expect(await stage.storage.users.find(bob.id)).toEqual(bob)
      expect(await stage.storage.users.find('nobody@example.com')).toBeUndefined()
      expect(await stage.storage.users.find(mintUnshardedId('usr', NOW))).toBeUndefined()
    })

    it('has a unique email address', async () => {
      await addUser('ada@example.com')
      const bob = await addUser('bob@example.com')
      expect(await stage.storage.users.create(userOf('ada@example.com'))).toBe('email-taken')
      expect(await stage.storage.users.update(bob.id, { email: 'ada@example.com', name: 'x' })).toBe(
        'email-taken',
      )
      expect(await stage.storage.users.update(bob.id, { email: 'bob@example.com' })).toBe('updated')
      expect(await stage.storage.users.find(bob.id)).toEqual(bob)
    })

    it('is listed in order of creation, in parts', async () => {
      const people = []
      for (const [index, letter] of [...'abcde'].entries())
        people.push(await addUser(`${letter}@example.com`, { id: mintUnshardedId('usr', NOW + index) }))
      expect(await stage.storage.users.list(null, 2)).toEqual(people.slice(0, 2))
      expect(await stage.storage.users.list(people[1]?.id ?? null, 10)).toEqual(people.slice(2))
    })

    it('changes only the given fields, and every node is notified', async () => {
      const ada = await addUser('ada@example.com')
      await addUser('admin@example.com', { role: 'admin' })
      const signIn = await addSignIn(ada)
      const version = await stage.storage.catalogVersion()
      const change = { role: 'viewer', projectIds: [] } as const
      expect(await stage.storage.users.update(ada.id, change)).toBe('updated')
      expect(await stage.storage.users.find(ada.id)).toEqual({ ...ada, ...change })
      expect(await stage.storage.catalogVersion()).not.toBe(version)
      expect(await stage.storage.users.update(ada.id, { projectIds: null, canSeeSecurity: true })).toBe(
        'updated',
      )
      const changed = { ...ada, role: 'viewer', canSeeSecurity: true }
      expect(await stage.storage.signIns.findByHash(signIn.hash)).toEqual({ user: changed, signIn })
      expect(await stage.storage.users.update(mintUnshardedId('usr', NOW), { name: 'x' })).toBe('missing')
    })

    it('gets a new password, which ends only their own other sessions', async () => {
      const ada = await addUser('ada@example.com')
      const kept = await addSignIn(ada)
      const ended = await addSignIn(ada)
      const others = await addSignIn(await addUser('bob@example.com'))
      const version = await stage.storage.catalogVersion()
      const command = {
        userId: ada.id,
        at: NOW,
        currentHash: null,
        passwordHash: 'new',
        keptSignInId: kept.id,
      }
      expect(await stage.storage.users.setPassword(command)).toBe('set')
      expect((await stage.storage.users.find(ada.id))?.passwordHash).toBe('new')
      expect(await stage.storage.signIns.findByHash(ended.hash)).toBeUndefined()
      expect((await stage.storage.signIns.findByHash(kept.hash))?.signIn).toEqual(kept)
      expect((await stage.storage.signIns.findByHash(others.hash))?.signIn).toEqual(others)
      expect(await stage.storage.catalogVersion()).not.toBe(version)
      expect(await stage.storage.users.setPassword({ ...command, userId: mintUnshardedId('usr', NOW) })).toBe(
        'outdated',
      )
    })

    it('keeps their password if the one that was checked, or the session, is no longer current', async () => {
      const ada = await addUser('ada@example.com', { passwordHash: 'old' })
      const [kept, other] = [await addSignIn(ada), await addSignIn(ada)]
      const bobs = await addSignIn(await addUser('bob@example.com'))
      const command = {
        userId: ada.id,
        at: NOW,
        currentHash: 'old',
        passwordHash: 'x',
        keptSignInId: kept.id,
      }
      const refused = [
        { ...command, currentHash: 'older' },
        { ...command, currentHash: null },
        { ...command, keptSignInId: mintUnshardedId('sgn', NOW) },
        { ...command, keptSignInId: bobs.id },
      ]
      for (const one of refused) expect(await stage.storage.users.setPassword(one)).toBe('outdated')
      expect(await stage.storage.users.find(ada.id)).toEqual(ada)
      expect((await idsOf(ada)).toSorted()).toEqual([kept.id, other.id].toSorted())
    })

    it('keeps the password of a link that was used at the same time', async () => {
      const ada = await addUser('ada@example.com', { passwordHash: 'old' })
      for (let round = 0; round < 10; round++) {
        const currentHash = (await stage.storage.users.find(ada.id))?.passwordHash ?? null
        const kept = await addSignIn({ ...ada, passwordHash: currentHash })
        const link = await addLink(ada.id, { hash: bytes(`link ${round}`) })
        const passwordHash = `own ${round}`
        const change = { userId: ada.id, at: NOW, currentHash, passwordHash, keptSignInId: kept.id }
        const acceptance = { hash: link.hash, at: NOW, passwordHash: `link ${round}`, name: null }
        const [changed, accepted] = await Promise.all([
          stage.storage.users.setPassword(change),
          stage.storage.users.acceptLink(acceptance),
        ])
        // Either may be first: one ends the link, the other the session.
        expect([changed, accepted === 'missing']).toEqual(
          changed === 'set' ? ['set', true] : ['outdated', false],
        )
        const expected = changed === 'set' ? change.passwordHash : acceptance.passwordHash
        expect((await stage.storage.users.find(ada.id))?.passwordHash).toBe(expected)
      }
    })

    it('cannot be removed or lose the role as the only admin', async () => {
      const ada = await addUser('ada@example.com', { role: 'admin' })
      await addUser('bob@example.com', { role: 'viewer' })
      const version = await stage.storage.catalogVersion()
      expect(await stage.storage.users.delete(ada.id)).toBe('last-admin')
      expect(await stage.storage.users.update(ada.id, { role: 'triager' })).toBe('last-admin')
      expect(await stage.storage.users.find(ada.id)).toEqual(ada)
      expect(await stage.storage.catalogVersion()).toBe(version)
      expect(await stage.storage.users.update(ada.id, { name: 'Ada L.', role: 'admin' })).toBe('updated')
      const eve = await addUser('eve@example.com', { role: 'admin' })
      expect(await stage.storage.users.delete(ada.id)).toBe('deleted')
      expect(await stage.storage.users.delete(eve.id)).toBe('last-admin')
    })

    it('can change as an admin of some projects, and does not replace an admin of all', async () => {
      const projectIds = [mintUnshardedId('prj', NOW)]
      const eve = await addUser('eve@example.com', { role: 'admin', projectIds })
      const { users } = stage.storage
      expect(await users.update(eve.id, { name: 'Eve L.', projectIds })).toBe('updated')
      expect(await users.update(eve.id, { role: 'viewer' })).toBe('last-admin')
      const ada = await addUser('ada@example.com', { role: 'admin' })
      for (const change of [{ projectIds }, { role: 'viewer' }] as const)
        expect(await users.update(ada.id, change)).toBe('last-admin')
      expect(await users.delete(ada.id)).toBe('last-admin')
      expect(await users.delete(eve.id)).toBe('deleted')
    })

    it('cannot be removed or lose the right as the only one who sees security issues', async () => {
      const { users } = stage.storage
      await addUser('root@example.com', { role: 'admin' })
      const ada = await addUser('ada@example.com', { canSeeSecurity: true })
      const projectIds = [mintUnshardedId('prj', NOW)]
      // A person who sees those of some projects does not replace one who sees those of all.
      const eve = await addUser('eve@example.com', { canSeeSecurity: true, projectIds })
      for (const change of [{ canSeeSecurity: false }, { projectIds }])
        expect(await users.update(ada.id, change)).toBe('last-security-holder')
      expect(await users.delete(ada.id)).toBe('last-security-holder')
      expect(await users.find(ada.id)).toEqual(ada)
      expect(await users.update(ada.id, { name: 'Ada L.', role: 'viewer', canSeeSecurity: true })).toBe(
        'updated',
      )
      expect(await users.update(eve.id, { canSeeSecurity: false })).toBe('updated')
      await addUser('bob@example.com', { canSeeSecurity: true })
      expect(await users.delete(ada.id)).toBe('deleted')
    })

    it('who sees security issues: at least one keeps the right when all lose it at once', async () => {
      const { users } = stage.storage
      await addUser('root@example.com', { role: 'admin' })
      let left = await addUser('ada@example.com', { canSeeSecurity: true })
      for (let round = 0; round < 10; round++) {
        const next = await addUser(`seeing-${round}@example.com`, { canSeeSecurity: true })
        const outcomes = await Promise.all([
          users.delete(left.id),
          round % 2 === 0 ? users.delete(next.id) : users.update(next.id, { canSeeSecurity: false }),
        ])
        expect(outcomes.filter((outcome) => outcome === 'last-security-holder')).toHaveLength(1)
        left = outcomes[0] === 'last-security-holder' ? left : next
        expect((await users.find(left.id))?.canSeeSecurity).toBe(true)
      }
    })

    it('is kept if all admins are removed at once: one of them', async () => {
      let left = await addUser('ada@example.com', { role: 'admin' })
      for (let round = 0; round < 10; round++) {
        const next = await addUser(`admin-${round}@example.com`, { role: 'admin' })
        const outcomes = await Promise.all([
          stage.storage.users.delete(left.id),
          round % 2 === 0
            ? stage.storage.users.delete(next.id)
            : stage.storage.users.update(next.id, { role: 'viewer' }),
        ])
        expect(outcomes.filter((outcome) => outcome === 'last-admin')).toHaveLength(1)
        left = outcomes[0] === 'last-admin' ? left : next
        expect((await stage.storage.users.find(left.id))?.role).toBe('admin')
      }
    })

    it('is deleted with sessions, links and views, and no one else is', async () => {
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      const kept = await addSignIn(bob)
      const signIn = await addSignIn(ada)
      const link = await addLink(ada.id)
      await stage.storage.views.create(viewOf(ada.id))
      const version = await stage.storage.catalogVersion()
      expect(await stage.storage.users.delete(ada.id)).toBe('deleted')
      expect(await stage.storage.catalogVersion()).not.toBe(version)
      expect(await stage.storage.users.find(ada.id)).toBeUndefined()
      expect(await stage.storage.signIns.findByHash(signIn.hash)).toBeUndefined()
      expect(await stage.storage.users.findLink(link.hash)).toBeUndefined()
      expect(await stage.storage.views.list(ada.id)).toEqual([])
      expect(await stage.storage.users.delete(ada.id)).toBe('missing')
      expect(await stage.storage.signIns.create(signInOf(ada.id), ada.passwordHash)).toBe('outdated')
      expect(await stage.storage.users.createLink(linkOf(ada.id))).toBe('no-user')
      expect(await stage.storage.views.create(viewOf(ada.id))).toBe('no-user')
      expect((await stage.storage.signIns.findByHash(kept.hash))?.user).toEqual(bob)
    })

    it('has a name as an actor, like a key, until they are removed', async () => {
      const ada = await addUser('ada@example.com', { name: 'Ada' })
      const fields = { projectId: null, kind: 'secret', scopes: [], origins: [], createdAt: NOW } as const
      const [named, nameless] = [
        mintKey({ ...fields, name: 'CI' }).key,
        mintKey({ ...fields, name: null }).key,
      ]
      for (const key of [named, nameless]) await stage.storage.keys.create(key)
      const gone = mintUnshardedId('usr', NOW)
      const names = await stage.storage.events.findActorNames([ada.id, named.id, nameless.id, gone])
      expect([...names].sort()).toEqual(
        [
          [ada.id, 'Ada'],
          [named.id, 'CI'],
        ].sort(),
      )
      expect(await stage.storage.events.findActorNames([])).toEqual(new Map())
    })
  })
}
