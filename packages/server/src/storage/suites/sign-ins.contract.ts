import { MAX_SIGN_INS } from '@bugle/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { type PeopleStage, signInOf } from '../../../test-support/people-stage.ts'
import { NOW } from '../../../test-support/storage-stage.ts'
import { mintUnshardedId } from '../../model/ids.ts'

/** How sign-ins are stored, and how they end. */
export function describeSignIns(stage: PeopleStage): void {
  const { addUser, addSignIn, idsOf } = stage

  describe('a session', () => {
    it('is listed newest first, only for its person', async () => {
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      const first = await addSignIn(ada, { userAgent: 'Firefox', id: mintUnshardedId('sgn', NOW) })
      const second = await addSignIn(ada, { id: mintUnshardedId('sgn', NOW + 1) })
      await addSignIn(bob)
      expect(await stage.storage.signIns.list(ada.id)).toEqual([second, first])
    })

    it('does not start with a password that was replaced in the meantime', async () => {
      const ada = await addUser('ada@example.com', { passwordHash: 'old' })
      const kept = await addSignIn(ada)
      const command = {
        userId: ada.id,
        at: NOW,
        currentHash: 'old',
        passwordHash: 'new',
        keptSignInId: kept.id,
      }
      await stage.storage.users.setPassword(command)
      for (const passwordHash of ['old', null])
        expect(await stage.storage.signIns.create(signInOf(ada.id), passwordHash)).toBe('outdated')
      expect(await idsOf(ada)).toEqual([kept.id])
      expect(await stage.storage.signIns.create(signInOf(ada.id), 'new')).toBe('created')
    })

    it('is ended only by its person, and every node is notified', async () => {
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      const { id, hash: signInHash } = await addSignIn(ada)
      expect(await stage.storage.signIns.end(bob.id, id)).toBe('missing')
      expect(await stage.storage.signIns.findByHash(signInHash)).toBeDefined()
      const version = await stage.storage.catalogVersion()
      expect(await stage.storage.signIns.end(ada.id, id)).toBe('ended')
      expect(await stage.storage.catalogVersion()).not.toBe(version)
      expect(await stage.storage.signIns.findByHash(signInHash)).toBeUndefined()
      expect(await stage.storage.signIns.end(ada.id, id)).toBe('missing')
    })

    it('ends with all others of its person, and with no one else', async () => {
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      for (const user of [ada, ada, bob]) await addSignIn(user)
      const version = await stage.storage.catalogVersion()
      await stage.storage.signIns.endAll(ada.id)
      expect(await stage.storage.catalogVersion()).not.toBe(version)
      expect([await idsOf(ada), (await idsOf(bob)).length]).toEqual([[], 1])
    })

    it('beyond the limit ends the least recently used one, and every node is notified', async () => {
      const ada = await addUser('ada@example.com')
      const signIns = []
      for (let index = 0; index < MAX_SIGN_INS; index++)
        signIns.push(await addSignIn(ada, { lastSeenAt: NOW + index }))
      const stalest = signIns[1]
      if (stalest === undefined || signIns[0] === undefined) throw new Error('there are sign-ins')
      await stage.storage.signIns.recordUses([{ id: signIns[0].id, at: NOW + 1_000 }])
      const version = await stage.storage.catalogVersion()
      await addSignIn(ada, { lastSeenAt: NOW + 2_000 })
      const ids = await idsOf(ada)
      expect(ids).toHaveLength(MAX_SIGN_INS)
      expect([ids.includes(stalest.id), ids.includes(signIns[0].id)]).toEqual([false, true])
      expect(await stage.storage.catalogVersion()).not.toBe(version)
    })

    it('records its last use, never an earlier one, without notifying nodes', async () => {
      const signIn = await addSignIn(await addUser('ada@example.com'))
      const version = await stage.storage.catalogVersion()
      const gone = mintUnshardedId('sgn', NOW)
      await stage.storage.signIns.recordUses([
        { id: signIn.id, at: NOW + 5 },
        { id: gone, at: NOW },
      ])
      await stage.storage.signIns.recordUses([{ id: signIn.id, at: NOW + 3 }])
      const found = await stage.storage.signIns.findByHash(signIn.hash)
      expect(found?.signIn).toEqual({ ...signIn, lastSeenAt: NOW + 5 })
      expect(await stage.storage.catalogVersion()).toBe(version)
    })

    it('is deleted when it is too old or was not used for too long', async () => {
      const ada = await addUser('ada@example.com')
      const kept = await addSignIn(ada, { createdAt: NOW, lastSeenAt: NOW + 10 })
      await addSignIn(ada, { createdAt: NOW - 1, lastSeenAt: NOW + 10 })
      await addSignIn(ada, { createdAt: NOW, lastSeenAt: NOW + 9 })
      while (await stage.storage.signIns.expireSome({ createdAt: NOW, lastSeenAt: NOW + 10 }));
      expect(await idsOf(ada)).toEqual([kept.id])
    })
  })
}
