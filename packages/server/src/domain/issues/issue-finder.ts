import type { Access } from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { type IssueId, isId, projectNumberOf } from '../../model/ids.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, homeOf, requireSight, type Sight } from '../access/access.ts'
import { credentialsRequired, DomainError, notFound } from '../domain-error.ts'
import type { EventViews } from '../events/event-views.ts'
import type { Catalog } from '../projects/catalog.ts'

/** What the use cases of issues need. */
export interface IssueDependencies {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  readonly eventViews: EventViews
}

/** Finds what a caller asks for, as far as the caller may see it. Every use case starts here. */
export interface IssueFinder {
  requireIssue(caller: Caller, access: Access, id: string): Promise<FoundIssue>
  /** By its number within a project, as it stands in the address. */
  requireIssueByNumber(caller: Caller, access: Access, place: NumberedPlace): Promise<FoundIssue>
  /** The project that an issue's id names; whether there is such an issue is still open. */
  requireProjectOf(caller: Caller, access: Access, id: string): Promise<Found & { readonly issueId: IssueId }>
  /** The project that is asked for, or the one the key belongs to. */
  requireProject(caller: Caller, access: Access, idOrSlug: string | undefined): Promise<Found>
}

interface Found {
  readonly project: ProjectRecord
  readonly sight: Sight
}

interface FoundIssue extends Found {
  readonly issue: StoredIssue
}

interface NumberedPlace {
  readonly idOrSlug: string
  readonly issueNumber: string
}

export function createIssueFinder({
  storage,
  catalog,
}: Pick<IssueDependencies, 'storage' | 'catalog'>): IssueFinder {
  const requireProjectOf: IssueFinder['requireProjectOf'] = async (caller, access, id) => {
    const issueId = isId('iss', id) ? id : undefined
    const project = issueId && (await catalog.findProjectByNumber(projectNumberOf(issueId)))
    const sight = requireSight(caller, access, project)
    if (project === undefined || issueId === undefined) throw notFound()
    return { project, sight, issueId }
  }

  /** Hidden issues look exactly like missing ones. */
  function requireVisible(caller: Caller, found: Found, issue: StoredIssue | undefined): FoundIssue {
    if (issue === undefined || !found.sight.lanes.includes(laneOf(issue.category))) throw missingFor(caller)
    return { project: found.project, sight: found.sight, issue }
  }

  return {
    requireProjectOf,

    async requireIssue(caller, access, id) {
      const found = await requireProjectOf(caller, access, id)
      return requireVisible(caller, found, await storage.issues.find(found.project.id, found.issueId))
    },

    async requireIssueByNumber(caller, access, { idOrSlug, issueNumber }) {
      const project = await catalog.findProject(idOrSlug)
      const sight = requireSight(caller, access, project)
      if (project === undefined) throw notFound()
      const number = numberIn(issueNumber)
      const issue = number === undefined ? undefined : await storage.issues.findByNumber(project.id, number)
      return requireVisible(caller, { project, sight }, issue)
    },

    async requireProject(caller, access, idOrSlug) {
      const named = idOrSlug ?? homeOf(caller)
      if (named === null) {
        throw new DomainError('invalid-parameter', {
          detail: 'Whoever reaches several projects must say which one is meant.',
          faults: [
            {
              parameter: 'projectId',
              code: 'required',
              detail: 'projectId must be the id or slug of a project.',
            },
          ],
        })
      }
      const project = named === undefined ? undefined : await catalog.findProject(named)
      const sight = requireSight(caller, access, project)
      if (project === undefined) throw notFound()
      return { project, sight }
    },
  }
}

/** Without a credential, what is missing or hidden answers like what is private: 401. */
function missingFor(caller: Caller): DomainError {
  return caller.kind === 'anonymous' ? credentialsRequired() : notFound()
}

/** The databases keep issue numbers as integers of 32 bits. A larger one exists nowhere and must not reach them. */
const MAX_ISSUE_NUMBER = 2 ** 31 - 1

function numberIn(text: string): number | undefined {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN
  return number <= MAX_ISSUE_NUMBER ? number : undefined
}
