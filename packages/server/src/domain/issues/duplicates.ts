import {
  type Access,
  type CursorQuery,
  endpoints,
  type IssueMerge,
  type IssuePage,
  MAX_DUPLICATES,
} from '@bugle/contract'
import { isId } from '../../model/ids.ts'
import type { MergeCommand, MergeOutcome } from '../../model/issues.ts'
import { actorOf, type Caller } from '../access/access.ts'
import { pagingOf } from '../cursor-pages.ts'
import { badMember, DomainError, notFound } from '../domain-error.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { showIssue, showListItem, type TaggedIssue } from './issue-views.ts'
import { changedMeanwhile } from './triage.ts'

export interface Duplicates {
  /** Makes an issue a duplicate of another one. With `ifVersions`, only if its version is one of them. */
  merge(caller: Caller, id: string, merge: IssueMerge, ifVersions: Versions): Promise<TaggedIssue>
  /** Makes a duplicate an issue of its own again. */
  unmerge(caller: Caller, id: string, ifVersions: Versions): Promise<TaggedIssue>
  listDuplicates(caller: Caller, id: string, query: CursorQuery): Promise<IssuePage>
}

type Versions = readonly number[] | null

export function createDuplicates({ storage, clock }: IssueDependencies, finder: IssueFinder): Duplicates {
  async function change(
    caller: Caller,
    access: Access,
    id: string,
    wanted: Pick<MergeCommand, 'into' | 'ifVersions'>,
  ): Promise<TaggedIssue> {
    const { project, sight, issueId } = await finder.requireProjectOf(caller, access, id)
    const outcome = await storage.issues.merge({
      ...wanted,
      projectId: project.id,
      issueId,
      lanes: sight.lanes,
      actor: actorOf(caller),
      at: clock(),
    })
    if (!('issue' in outcome)) throw refusal(outcome.kind)
    return showIssue(await finder.withAttachmentState(outcome.issue), sight)
  }

  return {
    async merge(caller, id, { into }, ifVersions) {
      const { access } = endpoints.mergeIssue
      if (isId('iss', into)) return change(caller, access, id, { into, ifVersions })
      await finder.requireIssue(caller, access, id)
      throw refusal('no-target')
    },

    unmerge: (caller, id, ifVersions) => change(caller, endpoints.unmergeIssue.access, id, { ifVersions }),

    async listDuplicates(caller, id, query) {
      const { issue, sight } = await finder.requireIssue(caller, endpoints.listDuplicates.access, id)
      const paging = pagingOf(query, ['duplicates', issue.id], Number.MAX_SAFE_INTEGER)
      const found = await storage.issues.listDuplicates({
        issue,
        before: paging.from,
        limit: paging.pageSize + 1,
      })
      const page = found.slice(0, paging.pageSize)
      return {
        data: page.map((duplicate) => showListItem(duplicate, sight)),
        pagination: paging.paginate(found.length, page.at(-1)?.issueNumber, issue.duplicateCount),
      }
    },
  }
}

function refusal(kind: Exclude<MergeOutcome['kind'], 'changed' | 'unchanged'>): DomainError {
  if (kind === 'missing') return notFound()
  if (kind === 'stale') return changedMeanwhile()
  if (kind === 'own-duplicate')
    return badMember('into', 'conflict', 'That issue is a duplicate of this one. Unmerge it first.')
  if (kind === 'too-many-duplicates')
    return new DomainError('limit-reached', {
      detail: `An issue can have at most ${MAX_DUPLICATES} duplicates.`,
    })
  // The same for an issue that does not exist, for one of another project or lane, and for spam.
  return badMember(
    'into',
    'unknown',
    'There is no other issue with this id in the project, only one of the two is of category security, or one of them is spam.',
  )
}
