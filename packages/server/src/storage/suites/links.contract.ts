import { describe, expect, it } from 'vitest'
import { bytes, type PeopleStage, userOf } from '../../../test-support/people-stage.ts'
import { NOW } from '../../../test-support/storage-stage.ts'
import type { LinkRecord } from '../../model/people/users.ts'

/** How one-time links are stored and redeemed. */
export function describeLinks(stage: PeopleStage): void {
  const { addUser, addSignIn, addLink } = stage

  describe('a one-time link', () => {
    it('is found with its person, and replaces the previous one', async () => {
      const ada = await addUser('ada@example.com')
      const first = await addLink(ada.id)
      const second = await addLink(ada.id)
      expect(await stage.storage.users.findLink(first.hash)).toBeUndefined()
      expect(await stage.storage.users.findLink(second.hash)).toEqual({ ...second, user: ada })
      expect(await stage.storage.users.findLink(bytes('unknown'))).toBeUndefined()
    })

    it('is invalidated by a new password or email address, and by no other change', async () => {
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      const bobs = await addLink(bob.id)
      const kept = await addSignIn(ada)
      const isThere = async ({ hash: linkHash }: LinkRecord) =>
        (await stage.storage.users.findLink(linkHash)) !== undefined
      const first = await addLink(ada.id, { hash: bytes('first') })
      await stage.storage.users.update(ada.id, { name: 'Countess', email: 'ada@example.com' })
      expect(await isThere(first)).toBe(true)
      await stage.storage.users.update(ada.id, { email: 'countess@example.com' })
      expect(await isThere(first)).toBe(false)
      const second = await addLink(ada.id, { hash: bytes('second') })
      const command = {
        userId: ada.id,
        at: NOW,
        currentHash: null,
        passwordHash: 'new',
        keptSignInId: kept.id,
      }
      await stage.storage.users.setPassword(command)
      expect([await isThere(second), await isThere(bobs)]).toEqual([false, true])
    })

    it('sets the password once, and ends every session', async () => {
      const ada = await addUser('ada@example.com')
      const { hash: linkHash } = await addLink(ada.id)
      const signIn = await addSignIn(ada)
      const command = { hash: linkHash, at: NOW, passwordHash: 'new', name: null }
      const outcomes = await Promise.all([
        stage.storage.users.acceptLink(command),
        stage.storage.users.acceptLink(command),
      ])
      const accepted = { ...ada, passwordHash: 'new' }
      expect(outcomes).toContainEqual(accepted)
      expect(outcomes).toContain('missing')
      expect(await stage.storage.users.find(ada.id)).toEqual(accepted)
      expect(await stage.storage.signIns.findByHash(signIn.hash)).toBeUndefined()
    })

    it('may set a new name, and expires', async () => {
      const ada = await addUser('ada@example.com')
      const { hash: linkHash, expiresAt } = await addLink(ada.id)
      const command = { hash: linkHash, passwordHash: 'new', name: 'Countess' }
      expect(await stage.storage.users.acceptLink({ ...command, at: expiresAt })).toBe('missing')
      expect(await stage.storage.users.find(ada.id)).toEqual(ada)
      expect(await stage.storage.users.acceptLink({ ...command, at: expiresAt - 1 })).toMatchObject({
        name: 'Countess',
      })
    })

    it('without a person creates the first one, once', async () => {
      const links = [await addLink(null, { hash: bytes('one') }), await addLink(null, { hash: bytes('two') })]
      const commands = links.map((link, index) => ({
        hash: link.hash,
        at: NOW,
        user: { ...userOf(`${index}@example.com`), role: 'admin' as const, passwordHash: 'x' },
      }))
      for (const command of commands)
        expect(await stage.storage.users.acceptLink({ ...command, passwordHash: 'x', name: null })).toBe(
          'missing',
        )
      const outcomes = await Promise.all(
        commands.map((command) => stage.storage.users.acceptFirstLink(command)),
      )
      expect(outcomes.toSorted()).toEqual(['created', 'missing'])
      expect(await stage.storage.users.list(null, 10)).toEqual([commands[outcomes.indexOf('created')]?.user])
    })

    it.each(['created', 'promoted'])(
      'without a person is invalid when there is an admin: %s',
      async (way) => {
        const before = await addLink(null, { hash: bytes('before') })
        const ada = await addUser('ada@example.com', way === 'created' ? { role: 'admin' } : {})
        if (way === 'promoted') await stage.storage.users.update(ada.id, { role: 'admin' })
        const after = await addLink(null, { hash: bytes('after') })
        for (const { hash: linkHash } of [before, after]) {
          expect(await stage.storage.users.findLink(linkHash)).toBeUndefined()
          const command = { hash: linkHash, at: NOW, user: userOf('eve@example.com') }
          expect(await stage.storage.users.acceptFirstLink(command)).toBe('missing')
        }
        expect(await stage.storage.users.list(null, 10)).toEqual([{ ...ada, role: 'admin' }])
        expect(await stage.storage.users.hasAdmin()).toBe(true)
      },
    )

    it('without a person works while no one is an admin', async () => {
      const { hash: linkHash } = await addLink(null)
      await addUser('ada@example.com', { role: 'viewer' })
      expect(await stage.storage.users.hasAdmin()).toBe(false)
      const accept = (email: string) =>
        stage.storage.users.acceptFirstLink({
          hash: linkHash,
          at: NOW,
          user: { ...userOf(email), role: 'admin' },
        })
      expect(await accept('ada@example.com')).toBe('email-taken')
      expect(await accept('eve@example.com')).toBe('created')
      expect(await accept('joe@example.com')).toBe('missing')
    })

    it('of a person does not create another one', async () => {
      const ada = await addUser('ada@example.com')
      const { hash: linkHash } = await addLink(ada.id)
      const command = { hash: linkHash, at: NOW, user: userOf('eve@example.com') }
      expect(await stage.storage.users.acceptFirstLink(command)).toBe('missing')
      expect(await stage.storage.users.find('eve@example.com')).toBeUndefined()
    })

    it('without a person is kept at most ten times, the newest', async () => {
      const links = []
      for (let index = 0; index < 12; index++) links.push(await addLink(null, { createdAt: NOW + index }))
      const found = await Promise.all(links.map((link) => stage.storage.users.findLink(link.hash)))
      expect(found.map((link) => link !== undefined)).toEqual(links.map((_, index) => index >= 2))
    })

    it('is deleted when it has expired', async () => {
      const [over, kept] = [await addLink(null, { expiresAt: NOW }), await addLink(null)]
      await stage.storage.users.expireLinks(NOW)
      expect(await stage.storage.users.findLink(over.hash)).toBeUndefined()
      expect(await stage.storage.users.findLink(kept.hash)).toBeDefined()
    })
  })
}
