import { describe, expect, it } from 'vitest'
import { NOW, reportFor, type StorageStage } from '../../../test-support/storage-stage.ts'
import type { NewComment } from '../../model/comments/comments.ts'
import { mintId, mintUnshardedId, projectNumberOf } from '../../model/ids.ts'
import type { Lane } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'

const ADA = mintUnshardedId('usr', NOW)
const BOB = mintUnshardedId('usr', NOW)
const BOTH: readonly Lane[] = ['open', 'security']

export function describeComments(stage: StorageStage): void {
  const comments = () => stage.storage.comments

  async function addIssue(slug: string) {
    const project = await stage.addProject(slug)
    const { issueId } = reportFor(project)
    await stage.storage.issues.submit(reportFor(project, { issueId }))
    return {
      project,
      issueId,
      write: (overrides: Partial<NewComment>) => commentOn(project, issueId, overrides),
    }
  }

  function commentOn(
    { id: projectId }: ProjectRecord,
    issueId: NewComment['issueId'],
    overrides: Partial<NewComment> = {},
  ): NewComment {
    return {
      ...{ projectId, issueId, commentId: 'c', lanes: BOTH, actor: ADA, at: NOW },
      ...{ text: 'Seen', audience: 'team', mentioned: [], ...overrides },
    }
  }

  const textsOf = async ({ id: projectId }: ProjectRecord, issueNumber = 1) => {
    const listing = { projectId, issueNumber, afterNumber: 0, limit: 100 }
    return (await comments().list(listing)).map(({ text }) => text)
  }

  const countOf = async ({ id }: ProjectRecord) =>
    (await stage.storage.issues.findByNumber(id, 1))?.commentCount

  describe('comments', () => {
    it('are stored once per id, also if many retries arrive at the same time', async () => {
      const { project, write } = await addIssue('weather')
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => comments().create(write({}))))
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['created', ...Array(7).fill('replayed')])
      expect(await comments().create(write({ text: 'Other' }))).toEqual({ kind: 'conflict' })
      expect(await comments().create(write({ actor: BOB }))).toEqual({ kind: 'conflict' })
      expect(await comments().create(write({ commentId: 'd', text: 'Other' }))).toMatchObject({
        kind: 'created',
        comment: { number: 2, id: 'd', text: 'Other', author: ADA, editedAt: null },
      })
      expect(await textsOf(project)).toEqual(['Seen', 'Other'])
      expect(await countOf(project)).toBe(2)
    })

    it('are changed and deleted by their author; a deleted text is gone, and its id is not reused', async () => {
      const { project, write } = await addIssue('weather')
      await comments().create(write({}))
      expect(await comments().change(write({ actor: BOB, text: 'x' }))).toEqual({ kind: 'not-author' })
      expect(await comments().change(write({}))).toMatchObject({ kind: 'unchanged' })
      expect(await comments().change(write({ text: 'Edited', at: NOW + 5 }))).toMatchObject({
        kind: 'changed',
        comment: { text: 'Edited', createdAt: NOW, editedAt: NOW + 5 },
      })
      // A late retry of the first request.
      expect(await comments().create(write({}))).toMatchObject({
        kind: 'replayed',
        comment: { text: 'Edited' },
      })
      expect(await comments().delete({ ...write({ actor: BOB }), mayDeleteAny: false })).toBe('not-author')
      expect(await comments().delete({ ...write({}), mayDeleteAny: false })).toBe('deleted')
      expect(await comments().delete({ ...write({}), mayDeleteAny: false })).toBe('missing')
      expect(await comments().change(write({ text: 'Back' }))).toEqual({ kind: 'missing' })
      expect(await comments().create(write({}))).toEqual({ kind: 'conflict' })
      expect(await textsOf(project)).toEqual([])
      expect(await countOf(project)).toBe(0)
      expect(await comments().findSome(project.id, [{ issueNumber: 1, id: 'c' }])).toEqual([])
      expect(await comments().create(write({ commentId: 'd' }))).toMatchObject({ comment: { number: 2 } })
    })

    it('are found by issue and id, in one project only', async () => {
      const { project, issueId, write } = await addIssue('weather')
      const other = await addIssue('maps')
      const second = reportFor(project)
      await stage.storage.issues.submit(second)
      await comments().create(write({ text: 'one' }))
      await comments().create(commentOn(project, second.issueId, { text: 'two' }))
      await comments().create(other.write({ text: 'three' }))
      const places = [1, 2, 3].map((issueNumber) => ({ issueNumber, id: 'c' }))
      const found = await comments().findSome(project.id, [...places, { issueNumber: 1, id: 'none' }])
      expect(found.map(({ issueNumber, text }) => [issueNumber, text]).toSorted()).toEqual([
        [1, 'one'],
        [2, 'two'],
      ])
      const elsewhere = { ...write({ text: 'x' }), projectId: other.project.id }
      expect(await comments().create(elsewhere)).toEqual({ kind: 'missing' })
      expect(await textsOf(project, 2)).toEqual(['two'])
      expect(issueId).not.toBe(second.issueId)
    })

    it('can be listed after any number, which may come from a forged cursor', async () => {
      const { project, write } = await addIssue('weather')
      await comments().create(write({}))
      const listing = { projectId: project.id, issueNumber: 1, limit: 10 }
      for (const [afterNumber, count] of [
        [Number.MAX_SAFE_INTEGER, 0],
        [2 ** 31, 0],
        [Number.MIN_SAFE_INTEGER, 1],
      ] as const)
        expect(await comments().list({ ...listing, afterNumber })).toHaveLength(count)
    })

    it('belong to the lane of their issue, and mention only people who may see it', async () => {
      const { project, issueId, write } = await addIssue('weather')
      const mentioned = [
        { id: ADA, name: 'Ada', canSeeSecurity: true },
        { id: BOB, name: 'Bob', canSeeSecurity: false },
      ]
      await comments().create(write({ mentioned }))
      const move = { projectId: project.id, issueId, lanes: BOTH, actor: null, at: NOW, ifVersions: null }
      await stage.storage.issues.change({ ...move, patch: { category: 'security' } })
      expect(await comments().create(write({ commentId: 'd', lanes: ['open'] }))).toEqual({ kind: 'missing' })
      expect(await comments().delete({ ...write({ lanes: ['open'] }), mayDeleteAny: false })).toBe('missing')
      expect(await comments().create(write({ commentId: 'd', mentioned }))).toMatchObject({
        comment: { mentions: [{ id: ADA, name: 'Ada' }] },
      })
      const read = (lanes: readonly Lane[]) =>
        stage.storage.events.list({ projectId: project.id, lanes, types: null, after: 0, limit: 100 })
      expect((await read(['open'])).events).toEqual([])
      expect((await read(BOTH)).events.map(({ type }) => type)).toEqual([
        'issue.created',
        'comment.created',
        'issue.updated',
        'comment.created',
      ])
      await stage.storage.issues.change({ ...move, patch: { category: 'bug' } })
      expect((await read(['open'])).events).toHaveLength(5)
    })

    it('have files with numbers of their own, which an edit replaces and a deletion removes', async () => {
      const { project, write } = await addIssue('weather')
      const fileOf = (name: string, digit: string) => ({
        id: mintId('att', NOW, projectNumberOf(project.id)),
        ...{ name, declaredType: 'image/png', size: 3, sha256: digit.repeat(64), omitted: null },
      })
      const [one, two, three] = [fileOf('one', '1'), fileOf('two', '2'), fileOf('three', '3')]
      const list = async () => {
        const listing = { projectId: project.id, issueNumber: 1, afterNumber: 0, limit: 100 }
        const found = await comments().list(listing)
        return found.map(({ attachments }) => attachments.map(({ name }) => name))
      }
      expect(await comments().create(write({ attachments: [one, two] }))).toMatchObject({
        kind: 'created',
        comment: { attachments: [{ id: one.id, receivedAt: null }, { id: two.id }] },
      })
      // A retry has other ids, because the server chooses them.
      const retry = [one, two].map((file) => ({
        ...file,
        id: mintId('att', NOW, projectNumberOf(project.id)),
      }))
      expect(await comments().create(write({ attachments: retry }))).toMatchObject({
        kind: 'replayed',
        comment: { attachments: [{ id: one.id }, { id: two.id }] },
      })
      expect(await comments().create(write({ attachments: [two, one] }))).toEqual({ kind: 'conflict' })
      await comments().create(write({ commentId: 'd', attachments: [three] }))
      await comments().create(write({ commentId: 'e' }))
      expect(await list()).toEqual([['one', 'two'], ['three'], []])
      const twice = [1, 2].map(() => ({ issueNumber: 1, id: 'c' }))
      for (const { attachments } of await comments().findSome(project.id, twice))
        expect(attachments.map(({ name }) => name)).toEqual(['one', 'two'])

      const { attachments } = stage.storage
      const place = { projectId: project.id, issueNumber: 1, commentId: 'c', sha256: two.sha256 }
      expect(await attachments.findDeclaration(place)).toMatchObject({
        attachment: { id: two.id },
        isKept: true,
      })
      expect(await attachments.findDeclaration({ ...place, commentId: 'd' })).toBeUndefined()
      const file = `${projectNumberOf(project.id)}/object` as const
      const received = { ...place, actor: ADA, at: NOW, stored: { file, contentType: null } }
      expect(await attachments.receive({ ...received, maxProjectBytes: 2 })).toEqual({ kind: 'full' })
      expect(await attachments.receive({ ...received, maxProjectBytes: 3 })).toMatchObject({
        kind: 'received',
      })
      expect(await attachments.find(project.id, two.id)).toMatchObject({ receivedAt: NOW, file })
      const ofReports = {
        projectId: project.id,
        issueNumber: 1,
        afterNumber: Number.MAX_SAFE_INTEGER,
        limit: 10,
      }
      expect(await attachments.list(ofReports)).toEqual([])
      expect(await attachments.findState(project.id, 1)).toBeNull()
      const counted = { projectId: project.id, lanes: BOTH }
      expect((await stage.storage.stats.readWithAttachments(counted)).attachments).toEqual({
        received: 0,
        pending: 0,
      })
      expect(await attachments.releaseOmitted(null)).not.toBeNull()

      const added = fileOf('three', '3')
      expect(await comments().change({ ...write({}), text: null, attachments: [two, added] })).toMatchObject({
        kind: 'changed',
        comment: {
          text: 'Seen',
          attachments: [
            { id: added.id, receivedAt: null },
            { id: two.id, receivedAt: NOW },
          ],
        },
      })
      expect(await list()).toEqual([['three', 'two'], ['three'], []])
      expect(await comments().delete({ ...write({}), mayDeleteAny: false })).toBe('deleted')
      expect(await attachments.find(project.id, two.id)).toBeUndefined()
      while (await attachments.releaseSome());
      expect(await attachments.listRemoved(null, 10)).toEqual([file])
      expect(await attachments.receive({ ...received, maxProjectBytes: 3 })).toEqual({ kind: 'missing' })
      expect(await list()).toEqual([['three'], []])
    })

    it('are removed with their issue, in steps if there are many', async () => {
      const { project, issueId, write } = await addIssue('weather')
      for (let n = 0; n < 60; n++) await comments().create(write({ commentId: `c${n}` }))
      const command = { projectId: project.id, issueId, lanes: BOTH, actor: null, at: NOW }
      expect(await stage.storage.issues.delete(command)).toBe('deleted')
      expect(await textsOf(project)).toHaveLength(60)
      expect(await comments().create(write({}))).toEqual({ kind: 'missing' })
      while (await stage.storage.issues.removeDeleted(25));
      expect(await textsOf(project)).toEqual([])
    })
  })
}
