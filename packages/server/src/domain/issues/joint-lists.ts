import { hash } from 'node:crypto'
import {
  DEFAULT_JOINT_SORT,
  DEFAULT_PAGE_SIZE,
  endpoints,
  type IssueListItem,
  type IssueQuery,
  JOINT_SORTS,
  type JointSort,
} from '@bugle/contract'
import type { JointPosition, ListedIssue } from '../../model/issue-lists.ts'
import { namesOfLabels } from '../../model/labels.ts'
import { type Caller, requireJointSight, type Sight } from '../access/access.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { DomainError } from '../domain-error.ts'
import { filtersOf } from './issue-filters.ts'
import type { IssueDependencies } from './issue-finder.ts'
import { showListItem } from './issue-views.ts'

/** Their cost would be that of a search or an index in every project, or they mean something else in each. */
const PROJECT_FILTERS = ['q', 'label', 'reporter', 'fingerprint'] as const

/** Lists the issues of all projects that the caller has access to. */
export function createJointLists({ storage, catalog }: IssueDependencies) {
  async function show(issues: readonly ListedIssue[], sight: Sight): Promise<IssueListItem[]> {
    const shown = new Map<string, IssueListItem>()
    // One after the other: a page must not take all connections to the database.
    for (const [projectId, own] of Map.groupBy(issues, (issue) => issue.projectId)) {
      const labels = await catalog.findLabels(projectId)
      for (const issue of own) shown.set(issue.id, showListItem(issue, { ...sight, labels }))
    }
    return issues.flatMap(({ id }) => shown.get(id) ?? [])
  }

  /** The labels of each issue, by name. */
  async function labelsOf(issues: readonly ListedIssue[]): Promise<readonly (readonly string[])[]> {
    const names: string[][] = []
    for (const { projectId, labels } of issues)
      names.push(namesOfLabels(await catalog.findLabels(projectId), labels))
    return names
  }

  return async function listJointly(caller: Caller, query: IssueQuery) {
    const { projectIds, sight } = requireJointSight(caller, endpoints.listIssues.access)
    const sort = requireJoint(query)
    const filters = filtersOf({ caller, query, sight: { ...sight, labels: [] } })
    const { lanes: _, searchesReports: __, ...others } = filters
    const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
    const list = ['all projects', others, sort]
    const part = await storage.issues.listJointly({
      ...{ projectIds, filters, sort },
      after: query.cursor === undefined ? null : positionIn(list, query.cursor),
      limit: pageSize,
    })
    const { issues, next, total, revision } = part

    // A renamed label changes no issue.
    const labels = await labelsOf(issues)
    const content = hash('sha256', JSON.stringify([revision, sight, list, pageSize, labels]), 'base64url')
    const place = query.cursor === undefined ? 'page=1' : `cursor=${query.cursor}`
    const tag = `${content}.${place}`
    return {
      readTag: async () => tag,
      async readPage() {
        const data = await show(issues, sight)
        const pagination = {
          page: null,
          pageSize,
          hasMore: next !== null,
          nextCursor: next && cursorOf(list, next),
          totalCount: total,
        }
        return { page: { data, pagination }, tag }
      },
    }
  }
}

/** The order of the list, after checking that it can be a list of several projects. */
function requireJoint(query: IssueQuery): JointSort {
  const given = PROJECT_FILTERS.find((name) => query[name] !== undefined)
  if (given !== undefined) throw needsProject(given, `${given} needs projectId.`)
  if ((query.page ?? 1) > 1)
    throw needsProject('page', 'Without projectId, follow pagination.nextCursor instead of page.')
  const sort = query.sort ?? DEFAULT_JOINT_SORT
  const known = JOINT_SORTS.find((one) => one === sort)
  if (known !== undefined) return known
  throw needsProject('sort', `Without projectId, sort must be one of ${JOINT_SORTS.join(', ')}.`)
}

function needsProject(parameter: string, detail: string): DomainError {
  return new DomainError('invalid-parameter', {
    detail,
    faults: [{ parameter, code: 'not-allowed', detail }],
  })
}

function cursorOf(list: readonly unknown[], { key, projectNumber, number }: JointPosition): string {
  return encodeCursor(list, [key, projectNumber, number])
}

function positionIn(list: readonly unknown[], cursor: string): JointPosition {
  const [key = 0, projectNumber = 0, number = 0] = decodeCursor(list, cursor, 3)
  return { key, projectNumber, number }
}
