import type { Access } from '@bugle/contract'
import { type IssueId, isId, ordinalOf } from '../model/ids.ts'
import type { IssueRecord } from '../model/issues.ts'
import { laneOf } from '../model/lanes.ts'
import type { ProjectRecord } from '../model/projects.ts'
import { type Caller, homeOf, requireSight, type Sight } from './access.ts'
import { credentialsRequired, DomainError, notFound } from './domain-error.ts'
import type { IssueParts } from './issues.ts'

/** Finds what a caller asks for, as far as the caller may see it. Every use case starts here. */
export interface IssueFinder {
  requireIssue(caller: Caller, access: Access, id: string): Promise<Found & { readonly issue: IssueRecord }>
  /** The project that an issue's id names; whether there is such an issue is still open. */
  requireProjectOf(caller: Caller, access: Access, id: string): Promise<Found & { readonly issueId: IssueId }>
  /** The project that is asked for, or the one the key belongs to. */
  requireProject(caller: Caller, access: Access, idOrSlug: string | undefined): Promise<Found>
}

interface Found {
  readonly project: ProjectRecord
  readonly sight: Sight
}

export function createIssueFinder({
  storage,
  catalog,
}: Pick<IssueParts, 'storage' | 'catalog'>): IssueFinder {
  const requireProjectOf: IssueFinder['requireProjectOf'] = async (caller, access, id) => {
    const issueId = isId('iss', id) ? id : undefined
    const project = issueId && (await catalog.findProjectByOrdinal(ordinalOf(issueId)))
    const sight = requireSight(caller, access, project)
    if (project === undefined || issueId === undefined) throw notFound()
    return { project, sight, issueId }
  }

  return {
    requireProjectOf,

    async requireIssue(caller, access, id) {
      const { project, sight, issueId } = await requireProjectOf(caller, access, id)
      const issue = await storage.issues.find(project.id, issueId)
      if (issue === undefined || !sight.lanes.includes(laneOf(issue.category))) throw missingFor(caller)
      return { project, sight, issue }
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
