import type { Access } from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { type IssueId, isId, projectNumberOf } from '../../model/ids.ts'
import type { RetrievedIssue, StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, homeOf, requireSight, type Sight } from '../access/access.ts'
import { credentialsRequired, DomainError, notFound } from '../domain-error.ts'
import type { EventViews } from '../events/event-views.ts'
import type { Catalog } from '../projects/catalog.ts'
import type { IssueSight } from './issue-views.ts'

/** The dependencies of issue operations. */
export interface IssueDependencies {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  readonly eventViews: EventViews
}

/** Finds what a caller requests, if the caller may see it. Every operation starts here. */
export interface IssueFinder {
  requireIssue(caller: Caller, access: Access, id: string): Promise<FoundIssue>
  /** By its number within a project, as text from the address. */
  requireIssueByNumber(caller: Caller, access: Access, place: NumberedPlace): Promise<FoundIssue>
  /** The project in an issue's id; the issue itself may not exist. */
  requireProjectOf(caller: Caller, access: Access, id: string): Promise<Found & { readonly issueId: IssueId }>
  /** The requested project, or the project of the key. */
  requireProject(caller: Caller, access: Access, idOrSlug: string | undefined): Promise<Found>
  /** Adds the attachment state to an issue that was changed. */
  withAttachmentState(issue: StoredIssue): Promise<RetrievedIssue>
}

interface Found {
  readonly project: ProjectRecord
  readonly sight: IssueSight
}

export interface FoundIssue extends Found {
  readonly issue: RetrievedIssue
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
    return { project, sight: await withLabels(sight, project), issueId }
  }

  async function withLabels(sight: Sight, { id }: ProjectRecord): Promise<IssueSight> {
    return { ...sight, labels: sight.seesPrivateMembers ? await catalog.findLabels(id) : [] }
  }

  /** Hidden issues look exactly like missing ones. */
  function requireVisible(caller: Caller, found: Found, issue: RetrievedIssue | undefined): FoundIssue {
    if (issue === undefined || !isInSight(issue, found.sight)) throw missingFor(caller)
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
      return requireVisible(caller, { project, sight: await withLabels(sight, project) }, issue)
    },

    async requireProject(caller, access, idOrSlug) {
      const named = idOrSlug ?? homeOf(caller)
      if (named === null) {
        throw new DomainError('invalid-parameter', {
          detail: 'This caller has access to several projects. Pass projectId.',
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
      return { project, sight: await withLabels(sight, project) }
    },

    async withAttachmentState(issue) {
      const { projectId, issueNumber } = issue
      return { ...issue, attachmentState: await storage.attachments.findState(projectId, issueNumber) }
    },
  }
}

/** Spam is for the team. */
function isInSight({ category, spamAt }: StoredIssue, { lanes, seesPrivateMembers }: Sight): boolean {
  return lanes.includes(laneOf(category)) && (spamAt === null || seesPrivateMembers)
}

/** Without credentials, the response is 401, whether something is missing, hidden or private. */
function missingFor(caller: Caller): DomainError {
  return caller.kind === 'anonymous' ? credentialsRequired() : notFound()
}

/** The databases store issue numbers as 32-bit integers, so larger numbers must not reach them. */
const MAX_ISSUE_NUMBER = 2 ** 31 - 1

function numberIn(text: string): number | undefined {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN
  return number <= MAX_ISSUE_NUMBER ? number : undefined
}
