import { JOINT_SORTS, type JointSort, PRIORITIES } from '@bugle/contract/vocabulary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addProject, changeOf, findAll, submitMany } from '../../../test-support/issue-lists/seed.ts'
import { createRandom } from '../../demo/random.ts'
import { type ProjectId, projectNumberOf, type UserId } from '../../model/ids.ts'
import {
  everyIssue,
  type JointListing,
  type JointPosition,
  LIST_BOUNDS,
  type ListBounds,
} from '../../model/issue-lists.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../storage.ts'

const PROJECTS = 9
/** So small that lists exceed them. */
const BOUNDS: ListBounds = { ...LIST_BOUNDS, examinedRows: 40, readProjects: 3 }
const ADA = 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx' as UserId
const MAX_PARTS = 500

type Filters = JointListing['filters']
const { projectId: _, ...EVERYTHING } = everyIssue('prj_00000000000000000000000000' as ProjectId, [
  'open',
  'security',
])

const CASES: readonly (readonly [title: string, filters: Partial<Filters>])[] = [
  ['all issues', {}],
  ['the open lane', { lanes: ['open'] }],
  ['a status', { statuses: ['open'], lanes: ['open'] }],
  ['a rare status', { statuses: ['wontfix'] }],
  ['categories', { categories: ['crash', 'security'] }],
  ['a priority', { priorities: ['critical'], lanes: ['open'] }],
  ['an assignee', { assignees: [ADA] }],
  ['an assignee and a status', { assignees: [ADA], statuses: ['open', 'resolved'], lanes: ['open'] }],
  ['a filter that nothing passes', { platforms: ['beos'] }],
  ['a filter without counters', { platforms: ['ios'], priorities: ['high', 'medium'] }],
]

/** Lists of several projects, compared with filtering and sorting in memory. */
export function describeJointLists(
  name: string,
  open: (bounds: ListBounds) => Promise<Storage & AsyncDisposable>,
): void {
  describe(`lists of several projects: ${name}`, { timeout: 120_000 }, () => {
    let storage: Storage & AsyncDisposable
    const projects: ProjectRecord[] = []
    const issues: StoredIssue[] = []

    beforeAll(async () => {
      storage = await open(BOUNDS)
      const random = createRandom(11)
      for (let index = 0; index < PROJECTS; index++) {
        const project = await addProject(storage, `app-${index}`)
        projects.push(project)
        // One is empty, one is much larger than the others.
        const ids = await submitMany(storage, project, [0, 80][index] ?? random.integer(1, 20), random)
        const changed = ids.filter(() => random.chance(0.5))
        await Promise.all(changed.map((id) => storage.issues.change(changeOf(project, id, random))))
        const assigned = ids.filter(() => random.chance(index % 3 === 0 ? 0 : 0.3))
        const toAda = { patch: { assigneeId: ADA }, laneAssignee: ADA }
        await Promise.all(
          assigned.map((id) => storage.issues.change({ ...changeOf(project, id, random), ...toAda })),
        )
        issues.push(...(await findAll(storage, project, ids)))
      }
    }, 120_000)
    afterAll(() => storage[Symbol.asyncDispose]())

    async function listAll(listing: Omit<JointListing, 'after'>) {
      const seen: string[] = []
      const totals = new Set<number | null>()
      let after: JointPosition | null = null
      for (let part = 0; part < MAX_PARTS; part++) {
        const found = await storage.issues.listJointly({ ...listing, after })
        expect(found.issues.length).toBeLessThanOrEqual(listing.limit)
        seen.push(...found.issues.map(({ id }) => id))
        totals.add(found.total)
        if (found.next === null) return { seen, totals: [...totals] }
        expect(found.next).not.toEqual(after)
        after = found.next
      }
      throw new Error('the list does not end')
    }

    function expected({ projectIds, filters, sort }: Omit<JointListing, 'after' | 'limit'>): string[] {
      return issues
        .filter((issue) => projectIds?.includes(issue.projectId) ?? true)
        .filter((issue) => passes(issue, filters))
        .toSorted((one, other) => orderOf(sort, one, other))
        .map(({ id }) => id)
    }

    for (const [title, some] of CASES) {
      it.each(JOINT_SORTS)(`contain every issue once, in order: ${title}, by %s`, async (sort) => {
        const filters = { ...EVERYTHING, ...some }
        const own = projects.filter((_, index) => index % 2 === 0).map(({ id }) => id)
        for (const [limit, projectIds] of [
          [7, null],
          [100, own],
        ] as const) {
          const listing = { projectIds, filters, sort, limit }
          const { seen, totals } = await listAll(listing)
          expect(seen).toEqual(expected(listing))
          for (const total of totals) if (total !== null) expect(total).toBe(seen.length)
        }
      })
    }

    it('show the total if the counters have it', async () => {
      const listing = { projectIds: null, sort: 'updated', after: null, limit: 1 } as const
      const totalOf = async (some: Partial<Filters>) => {
        const part = await storage.issues.listJointly({ ...listing, filters: { ...EVERYTHING, ...some } })
        return part.total
      }
      expect(await totalOf({})).toBe(issues.length)
      expect(await totalOf({ assignees: [ADA] })).toBe(
        issues.filter(({ assigneeId }) => assigneeId === ADA).length,
      )
      expect(await totalOf({ platforms: ['ios'] })).toBeNull()
    })

    it('are empty without projects', async () => {
      expect(
        await storage.issues.listJointly({
          ...{ projectIds: [], filters: EVERYTHING, sort: 'updated', after: null, limit: 5 },
        }),
      ).toEqual({ issues: [], next: null, total: 0, revision: '' })
    })

    it('accept any position', async () => {
      const big = Number.MAX_SAFE_INTEGER
      for (const sort of JOINT_SORTS)
        for (const key of [-big, 0, 1, big])
          for (const number of [-1, 0, 2 ** 31, big]) {
            const after = { key, number, projectNumber: number }
            const listing = { projectIds: null, filters: EVERYTHING, sort, after, limit: 3 }
            expect(await storage.issues.listJointly(listing)).toMatchObject({ revision: expect.any(String) })
          }
    })
  })
}

function passes(issue: StoredIssue, filters: Filters): boolean {
  const isOneOf = <T>(wanted: readonly T[] | null, value: T) => wanted?.includes(value) ?? true
  return (
    isOneOf<Lane>(filters.lanes, laneOf(issue.category)) &&
    isOneOf(filters.statuses, issue.status) &&
    isOneOf(filters.categories, issue.category) &&
    isOneOf(filters.priorities, issue.priority) &&
    isOneOf(filters.platforms, issue.platform ?? '') &&
    isOneOf(filters.assignees, issue.assigneeId)
  )
}

function orderOf(sort: JointSort, one: StoredIssue, other: StoredIssue): number {
  return (
    keyOf(sort, other) - keyOf(sort, one) ||
    projectNumberOf(other.projectId) - projectNumberOf(one.projectId) ||
    other.issueNumber - one.issueNumber
  )
}

function keyOf(sort: JointSort, issue: StoredIssue): number {
  if (sort === 'updated') return issue.updatedAt
  return sort === 'reports' ? issue.reportCount : PRIORITIES.indexOf(issue.priority)
}
