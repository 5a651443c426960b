import { MAX_SHARED_VIEWS, MAX_VIEWS } from '@bugle/contract/vocabulary'
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
      const named = [first, second].map((view) => ({ ...view, ownerName: ada.name }))
      expect(await stage.storage.views.list(ada.id)).toEqual(named)
      expect(await stage.storage.views.find(first.id)).toEqual(named[0])
      expect(await stage.storage.views.list(bob.id)).toEqual([])
      expect(await stage.storage.views.delete(bob.id, first.id)).toBe('missing')
      expect(await stage.storage.views.delete(ada.id, first.id)).toBe('deleted')
      expect(await stage.storage.views.list(ada.id)).toEqual(named.slice(1))
      expect(await stage.storage.views.find(first.id)).toBeUndefined()
    })

    it('is one of at most 50, even if many are saved at once', async () => {
      const ada = await addUser('ada@example.com')
      const creations = Array.from({ length: MAX_VIEWS + 5 }, () =>
        stage.storage.views.create(viewOf(ada.id)),
      )
      const outcomes = await Promise.all(creations)
      expect(outcomes.filter((outcome) => outcome === 'too-many')).toHaveLength(5)
      expect(await stage.storage.views.list(ada.id)).toHaveLength(MAX_VIEWS)
    })
  })

  describe('a shared view', () => {
    it('is listed with its project for everyone, and stays when its person is removed', async () => {
      const { views } = stage.storage
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      const { id: projectId } = await stage.addProject('weather')
      const own = viewOf(ada.id, { projectId, id: mintUnshardedId('viw', NOW) })
      const shared = viewOf(ada.id, { projectId, isShared: true, id: mintUnshardedId('viw', NOW + 1) })
      for (const view of [own, shared]) expect(await views.create(view)).toBe('created')
      const listed = { ...shared, ownerName: ada.name }
      expect(await views.listOfProject(bob.id, projectId)).toEqual([listed])
      expect(await views.listOfProject(ada.id, projectId)).toEqual([{ ...own, ownerName: ada.name }, listed])
      expect(await views.listOfProject(bob.id, (await stage.addProject('maps')).id)).toEqual([])

      expect(await stage.storage.users.delete(ada.id)).toBe('deleted')
      expect(await views.listOfProject(bob.id, projectId)).toEqual([{ ...listed, ownerName: null }])
      expect(await views.find(own.id)).toBeUndefined()
      expect(await views.deleteShared(shared.id)).toBe('deleted')
      expect(await views.deleteShared(shared.id)).toBe('missing')
    })

    it('is changed only by its person', async () => {
      const { views } = stage.storage
      const [ada, bob] = [await addUser('ada@example.com'), await addUser('bob@example.com')]
      const { id: projectId } = await stage.addProject('weather')
      const view = viewOf(ada.id, { projectId, isShared: true })
      await views.create(view)
      expect(await views.update(bob.id, view.id, { name: 'Mine' })).toBe('missing')
      expect(await views.update(ada.id, view.id, { name: 'Ours', query: 'q=x' })).toBe('updated')
      expect(await views.find(view.id)).toMatchObject({ name: 'Ours', query: 'q=x', isShared: true })
      expect(await views.update(ada.id, view.id, { isShared: false })).toBe('updated')
      expect(await views.listOfProject(bob.id, projectId)).toEqual([])
      expect(await views.deleteShared(view.id)).toBe('missing')
    })

    it('is one of at most 100 in a project', async () => {
      const { views } = stage.storage
      const people = [
        await addUser('ada@example.com'),
        await addUser('bob@example.com'),
        await addUser('eve@example.com'),
      ]
      const [ada, bob, eve] = people.map(({ id }) => id)
      if (ada === undefined || bob === undefined || eve === undefined) throw new Error('no people')
      const { id: projectId } = await stage.addProject('weather')
      for (let count = 0; count < MAX_SHARED_VIEWS; count++) {
        const outcome = await views.create(
          viewOf(count < MAX_VIEWS ? ada : bob, { projectId, isShared: true }),
        )
        expect(outcome).toBe('created')
      }
      expect(await views.create(viewOf(eve, { projectId, isShared: true }))).toBe('too-many-shared')
      const own = viewOf(eve, { projectId })
      expect(await views.create(own)).toBe('created')
      expect(await views.update(eve, own.id, { isShared: true })).toBe('too-many-shared')
      expect(await views.update(eve, own.id, { name: 'Mine' })).toBe('updated')
    })

    it('disappears with its project, as all of its views', async () => {
      const { views, projects } = stage.storage
      const ada = await addUser('ada@example.com')
      const { id: projectId } = await stage.addProject('weather')
      const kept = viewOf(ada.id)
      await views.create(kept)
      for (const isShared of [true, false]) await views.create(viewOf(ada.id, { projectId, isShared }))
      while (!(await projects.delete(projectId)).isFinished);
      expect((await views.list(ada.id)).map(({ id }) => id)).toEqual([kept.id])
      expect(await views.create(viewOf(ada.id, { projectId, isShared: true }))).toBe('no-project')
    })
  })
}
