import { describe, expect, it } from 'vitest'
import { keyFields, NOW, reportFor, type StorageStage } from '../../../test-support/storage-stage.ts'
import { mintKey } from '../../domain/projects/keys.ts'
import { mintUnshardedId } from '../../model/ids.ts'

/** How keys are stored, and how changes to keys and projects are announced. */
export function describeKeys(stage: StorageStage): void {
  const { addProject } = stage

  describe('keys', () => {
    it('are found by hash and listed by owner', async () => {
      const project = await addProject('weather')
      const own = mintKey({ ...keyFields(project), kind: 'public', origins: ['https://app.example'] }).key
      const instance = mintKey({ ...keyFields(null), kind: 'secret', scopes: ['issues:read'] }).key
      await stage.storage.keys.create(own)
      await stage.storage.keys.create(instance)
      expect(await stage.storage.keys.findByHash(own.hash)).toEqual(stored(own))
      expect((await stage.storage.keys.list(project.id)).map(({ id }) => id)).toEqual([own.id])
      expect(await stage.storage.keys.list(null)).toEqual([stored(instance)])
    })

    it('are revoked once', async () => {
      const { key } = mintKey({ ...keyFields(await addProject('weather')), kind: 'secret' })
      await stage.storage.keys.create(key)
      expect(await stage.storage.keys.revoke(key.id, NOW + 1)).toBe('revoked')
      expect(await stage.storage.keys.revoke(key.id, NOW + 2)).toBe('already-revoked')
      expect((await stage.storage.keys.findByHash(key.hash))?.revokedAt).toBe(NOW + 1)
      expect(await stage.storage.keys.revoke(mintUnshardedId('key', NOW), NOW)).toBe('missing')
    })
  })

  describe('the catalog version', () => {
    it('changes with projects and keys, and with nothing else', async () => {
      const versions = [await stage.storage.catalogVersion()]
      const note = async () => versions.push(await stage.storage.catalogVersion())
      const project = await addProject('weather')
      await note()
      const { key } = mintKey({ ...keyFields(project), kind: 'public' })
      await stage.storage.keys.create(key)
      await note()
      await stage.storage.projects.update(project.id, { name: 'new' })
      await note()
      await stage.storage.keys.revoke(key.id, NOW)
      await note()
      expect(new Set(versions).size).toBe(versions.length)
      await stage.storage.issues.submit(reportFor(project))
      expect(await stage.storage.catalogVersion()).toBe(versions.at(-1))
    })
  })
}

function stored<T extends { readonly hash: Uint8Array }>(key: T): T {
  return { ...key, hash: new Uint8Array(key.hash) }
}
