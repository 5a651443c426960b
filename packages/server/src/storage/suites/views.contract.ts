import { MAX_VIEWS } from '@bugle/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { type PeopleStage, viewOf } from '../../../test-support/people-stage.ts'
import { NOW } from '../../../test-support/storage-stage.ts'
import { mintUnshardedId } from '../../model/ids.ts'

/** How saved views are stored. */
export function describeViews(stage: PeopleStage): void {
  const { addUser } = stage

  describe('a view', () => {
    it('is visible only to its person, in the order of saving', async () => {
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      const first = viewOf(ada.id, { name: 'Crashes 💥', query: 'q=%22a%22&status=open', createdAt: NOW })
      const second = viewOf(ada.id, { id: mintUnshardedId('viw', NOW + 1) })
      for (const view of [first, second]) expect(await stage.storage.views.create(view)).toBe('created')
      expect(await stage.storage.views.list(ada.id)).toEqual([first, second])
      expect(await stage.storage.views.list(bob.id)).toEqual([])
      expect(await stage.storage.views.delete(bob.id, first.id)).toBe('missing')
      expect(await stage.storage.views.delete(ada.id, first.id)).toBe('deleted')
      expect(await stage.storage.views.list(ada.id)).toEqual([second])
    })

    it('is one of at most 50, even if many are saved at once', async () => {
      const ada = await addUser('ada@example.com')
      const wishes = Array.from({ length: MAX_VIEWS + 5 }, () => stage.storage.views.create(viewOf(ada.id)))
      const outcomes = await Promise.all(wishes)
      expect(outcomes.filter((outcome) => outcome === 'too-many')).toHaveLength(5)
      expect(await stage.storage.views.list(ada.id)).toHaveLength(MAX_VIEWS)
    })
  })
}
