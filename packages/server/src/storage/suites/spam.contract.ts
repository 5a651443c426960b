import { describe, expect, it } from 'vitest'
import {
  contentOf,
  NOW,
  receiptOf,
  reportFor,
  type StorageStage,
} from '../../../test-support/storage-stage.ts'
import type { IssueId, ProjectId } from '../../model/ids.ts'
import { everyIssue, type IssueSelection } from '../../model/issue-lists.ts'
import type { SpamCommand } from '../../model/issues.ts'
import type { Lane } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'

const BOTH: readonly Lane[] = ['open', 'security']
const LATER = NOW + 60_000

/** What is marked as spam, and who is blocked. */
export function describeSpam(stage: StorageStage): void {
  const issues = () => stage.storage.issues

  async function submit(
    project: ProjectRecord,
    overrides: Parameters<typeof reportFor>[1] = {},
  ): Promise<IssueId> {
    return receiptOf(await issues().submit(reportFor(project, overrides))).issueId
  }

  function mark(projectId: ProjectId, issueId: IssueId, overrides: Partial<SpamCommand> = {}) {
    const by = { actor: null, at: LATER, ifVersions: null, lanes: BOTH }
    return issues().markSpam({ projectId, issueId, isSpam: true, ...by, ...overrides })
  }

  async function numbers(project: ProjectRecord, overrides: Partial<IssueSelection> = {}): Promise<number[]> {
    const selection = { ...everyIssue(project.id, BOTH), ...overrides }
    const found = await issues().list({ selection, sort: 'newest', start: { offset: 0 }, limit: 200 })
    const sorted = await issues().list({ selection, sort: 'updated', start: { offset: 0 }, limit: 200 })
    const own = found.issues.map(({ issueNumber }) => issueNumber)
    expect(sorted.issues.map(({ issueNumber }) => issueNumber).toSorted((a, b) => b - a)).toEqual(own)
    expect(await issues().count(selection)).toBe(own.length)
    return own
  }

  const searching = (word: string): Partial<IssueSelection> => ({
    search: [{ tokens: [word], isPrefix: false }],
  })

  describe('spam', () => {
    it('is in no list, count or search, and in the list of spam; removing the mark shows it again', async () => {
      const project = await stage.addProject('weather')
      const spam = await submit(project)
      await submit(project)
      expect(await mark(project.id, spam)).toMatchObject({
        kind: 'changed',
        issue: { spamAt: LATER, version: 2, updatedAt: LATER },
      })
      expect(await mark(project.id, spam)).toMatchObject({ kind: 'unchanged', issue: { version: 2 } })
      for (const filters of [{}, searching('blank'), { statuses: ['open'] } as const]) {
        expect(await numbers(project, filters)).toEqual([2])
        expect(await numbers(project, { ...filters, isSpam: true })).toEqual([1])
      }
      expect(await issues().countByStatus(everyIssue(project.id, BOTH))).toMatchObject({ open: 1 })
      expect(await mark(project.id, spam, { isSpam: false })).toMatchObject({
        kind: 'changed',
        issue: { spamAt: null, version: 3 },
      })
      expect(await numbers(project)).toEqual([2, 1])
      expect(await numbers(project, searching('blank'))).toEqual([2, 1])
      expect(await numbers(project, { isSpam: true })).toEqual([])
    })

    it('is found among many others without reading them, and others among much spam', async () => {
      const project = await stage.addProject('weather')
      await submit(project)
      for (let index = 0; index < 110; index++) await submit(project, { isSpam: true })
      await submit(project)
      expect(await numbers(project)).toEqual([112, 1])
      expect(await numbers(project, { isSpam: true })).toHaveLength(110)
      expect(await numbers(project, searching('blank'))).toEqual([112, 1])
    })

    it('is hidden or missing for those who do not see its lane, and may only be marked in the expected version', async () => {
      const project = await stage.addProject('weather')
      const hidden = await submit(project, { content: contentOf('security') })
      expect(await mark(project.id, hidden, { lanes: ['open'] })).toEqual({ kind: 'missing' })
      expect(await mark(project.id, hidden, { ifVersions: [2] })).toEqual({ kind: 'stale' })
      expect(await mark(project.id, hidden, { ifVersions: [1] })).toMatchObject({ kind: 'changed' })
      expect(await numbers(project, { isSpam: true, lanes: ['open'] })).toEqual([])
      expect(await numbers(project, { isSpam: true })).toEqual([1])
    })

    it('is joined only by spam with its fingerprint, and loses it where another issue has it', async () => {
      const project = await stage.addProject('weather')
      const content = { ...contentOf('bug'), fingerprint: 'f' }
      const spam = await submit(project, { content })
      await mark(project.id, spam)
      const other = await submit(project, { content })
      expect(other).not.toBe(spam)
      expect(await submit(project, { content })).toBe(other)
      expect(await submit(project, { content, isSpam: true })).toBe(spam)
      expect(await issues().find(project.id, spam)).toMatchObject({ fingerprint: 'f', reportCount: 2 })
      await mark(project.id, spam, { isSpam: false })
      expect(await issues().find(project.id, spam)).toMatchObject({ fingerprint: null, spamAt: null })
      expect(await submit(project, { content })).toBe(other)
    })

    it('has no events in the log except the one that says so', async () => {
      const project = await stage.addProject('weather')
      const spam = await submit(project)
      await submit(project, { isSpam: true })
      const typesIn = async (lanes: readonly Lane[]) => {
        const listing = { projectId: project.id, lanes, after: 0, types: null, limit: 50 }
        return (await stage.storage.events.list(listing)).events.map(({ type }) => type)
      }
      await mark(project.id, spam)
      for (const lanes of [BOTH, ['open'] as const])
        expect(await typesIn(lanes)).toEqual(['issue.marked_as_spam'])
      await mark(project.id, spam, { isSpam: false })
      const shown = ['issue.created', 'issue.marked_as_spam', 'issue.unmarked_as_spam']
      for (const lanes of [BOTH, ['open'] as const]) expect(await typesIn(lanes)).toEqual(shown)
    })

    it('is listed by age and deleted without an event, which changes the revision of lists', async () => {
      const project = await stage.addProject('weather')
      const [first, second] = [await submit(project), await submit(project)]
      await mark(project.id, second, { at: NOW + 1 })
      await mark(project.id, first, { at: NOW + 2 })
      const listed = [
        { issueId: second, version: 2 },
        { issueId: first, version: 2 },
      ]
      expect(await issues().listSpam(project.id, NOW + 3, 10)).toEqual(listed)
      expect(await issues().listSpam(project.id, NOW + 2, 10)).toEqual(listed.slice(0, 1))
      const revision = () =>
        Promise.all([BOTH, ['open'] as const].map((lanes) => issues().revision(project.id, lanes)))
      const [before, window] = [await revision(), await stage.storage.events.window(project.id, BOTH)]
      const by = { projectId: project.id, lanes: BOTH, actor: null, at: LATER }
      expect(await issues().delete({ ...by, issueId: first, ifVersions: [1] })).toBe('stale')
      expect(await issues().delete({ ...by, issueId: first, ifVersions: [2] })).toBe('deleted')
      expect(await stage.storage.events.window(project.id, BOTH)).toEqual(window)
      const after = await revision()
      expect(after[0]).not.toBe(before[0])
      expect(after[1]).not.toBe(before[1])
    })
  })

  describe('senders', () => {
    const senders = () => stage.storage.senders

    it('have one key a day, until it is deleted', async () => {
      const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
      expect(await senders().findKey('2026-11-15')).toBeUndefined()
      const both = await Promise.all([one, two].map((key) => senders().requireKey('2026-11-15', key)))
      expect(both[0]).toEqual(both[1])
      expect(await senders().findKey('2026-11-15')).toEqual(both[0])
      await senders().expireKeys('2026-11-15')
      expect(await senders().findKey('2026-11-15')).toEqual(both[0])
      await senders().expireKeys('2026-11-16')
      expect(await senders().findKey('2026-11-15')).toBeUndefined()
    })

    it('of an issue and its reports are blocked and unblocked with it', async () => {
      const project = await stage.addProject('weather')
      const other = await stage.addProject('maps')
      const content = { ...contentOf('bug'), fingerprint: 'f' }
      const issueId = await submit(project, { content, sender: 'a' })
      await submit(project, { content, sender: 'b', receivedAt: NOW + 1 })
      await submit(project, { content, sender: null })
      await submit(project, { content, sender: 'old', receivedAt: NOW - 1 })
      const version = await stage.storage.catalogVersion()
      await senders().block({ projectId: project.id, issueId, since: NOW })
      await senders().block({ projectId: project.id, issueId, since: NOW })
      expect(await stage.storage.catalogVersion()).not.toBe(version)
      const blocked = [
        { sender: 'a', day: '2026-11-15' },
        { sender: 'b', day: '2026-11-15' },
      ]
      expect(await senders().listBlocked(project.id)).toEqual(blocked)
      expect(await senders().listBlocked(other.id)).toEqual([])
      await senders().expireBlocked(project.id, '2026-11-15')
      expect(await senders().listBlocked(project.id)).toEqual(blocked)
      await mark(project.id, issueId)
      await senders().unblock(project.id)
      expect(await senders().listBlocked(project.id)).toEqual(blocked)
      await mark(project.id, issueId, { isSpam: false })
      await senders().unblock(other.id)
      expect(await senders().listBlocked(project.id)).toEqual(blocked)
      await senders().unblock(project.id)
      expect(await senders().listBlocked(project.id)).toEqual([])
      await senders().block({ projectId: project.id, issueId, since: NOW })
      await senders().expireBlocked(project.id, '2026-11-16')
      expect(await senders().listBlocked(project.id)).toEqual([])
    })
  })
}
