import { MAX_ACCESS_TOKENS } from '@bugle/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { type PeopleStage, tokenOf, userOf } from '../../../test-support/people-stage.ts'
import { NOW } from '../../../test-support/storage-stage.ts'
import { mintUnshardedId } from '../../model/ids.ts'

/** How personal access tokens are stored. */
export function describeAccessTokens(stage: PeopleStage): void {
  const { addUser } = stage

  describe('an access token', () => {
    it('is found with its owner as they are now, and listed for them only', async () => {
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      const first = tokenOf(ada.id, { name: 'Report 💥', scopes: ['issues:read', 'security:read'] })
      const second = tokenOf(ada.id, { id: mintUnshardedId('pat', NOW + 1), expiresAt: NOW + 5 })
      for (const token of [second, first])
        expect(await stage.storage.accessTokens.create(token)).toBe('created')
      expect(await stage.storage.accessTokens.list(ada.id)).toEqual([first, second])
      expect(await stage.storage.accessTokens.list(bob.id)).toEqual([])
      expect(await stage.storage.accessTokens.findByHash(first.hash)).toEqual({ token: first, user: ada })
      await stage.storage.users.update(ada.id, { name: 'Countess' })
      expect(await stage.storage.accessTokens.find(second.id)).toEqual({
        token: second,
        user: { ...ada, name: 'Countess' },
      })
    })

    it('is gone once it is revoked, or its owner is removed, and the catalog changes', async () => {
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      const [one, other, ofBob] = [tokenOf(ada.id), tokenOf(ada.id), tokenOf(bob.id)]
      for (const token of [one, other, ofBob]) await stage.storage.accessTokens.create(token)
      const version = await stage.storage.catalogVersion()
      expect(await stage.storage.accessTokens.revoke(one.id)).toBe('revoked')
      expect(await stage.storage.catalogVersion()).not.toBe(version)
      expect(await stage.storage.accessTokens.revoke(one.id)).toBe('missing')
      expect(await stage.storage.accessTokens.findByHash(one.hash)).toBeUndefined()
      expect(await stage.storage.accessTokens.findByHash(other.hash)).toBeDefined()
      await stage.storage.users.delete(bob.id)
      expect(await stage.storage.accessTokens.findByHash(ofBob.hash)).toBeUndefined()
      expect(await stage.storage.accessTokens.list(bob.id)).toEqual([])
    })

    it('is one of at most 50, even if many are created at once, and needs an owner', async () => {
      const ada = await addUser('ada@example.com')
      const outcomes = await Promise.all(
        Array.from({ length: MAX_ACCESS_TOKENS + 5 }, () =>
          stage.storage.accessTokens.create(tokenOf(ada.id)),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'too-many')).toHaveLength(5)
      expect(await stage.storage.accessTokens.list(ada.id)).toHaveLength(MAX_ACCESS_TOKENS)
      expect(await stage.storage.accessTokens.create(tokenOf(userOf('eve@example.com').id))).toBe('no-user')
    })

    it('keeps the time of its last use', async () => {
      const token = tokenOf((await addUser('ada@example.com')).id)
      await stage.storage.accessTokens.create(token)
      for (const at of [NOW + 5, NOW + 3])
        await stage.storage.accessTokens.recordUses([
          { id: token.id, at },
          { id: mintUnshardedId('pat', 0), at },
        ])
      expect((await stage.storage.accessTokens.find(token.id))?.token.lastUsedAt).toBe(NOW + 5)
    })

    it('is in the audit log, without its text or hash', async () => {
      const ada = await addUser('ada@example.com')
      const token = tokenOf(ada.id, { name: 'Script' })
      const { accessTokens, auditLog } = stage.storage.actingAs(ada.id, () => NOW)
      await accessTokens.create(token)
      await accessTokens.revoke(token.id)
      const entries = await auditLog.list({
        ...{ lanes: ['open'], reach: null, actor: null, action: null, projectId: null },
        ...{ since: null, until: null, before: null, limit: 10 },
      })
      const subject = { actor: ada.id, subject: token.id, subjectName: 'Script (ada@example.com)' }
      expect(entries.toSorted((one, other) => (one.action < other.action ? -1 : 1))).toMatchObject([
        {
          ...{ ...subject, action: 'access_token.created' },
          changes: [
            { field: 'name', from: null, to: 'Script' },
            { field: 'scopes', from: null, to: 'issues:read' },
            { field: 'ending', from: null, to: token.ending },
          ],
        },
        { ...subject, action: 'access_token.revoked', changes: [] },
      ])
      expect(JSON.stringify(entries)).not.toContain(Buffer.from(token.hash).toString('hex'))
    })
  })
}
