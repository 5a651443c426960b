import { endpoints, type Issue, type IssuePatch, MAX_KNOWN_ISSUES, TRANSITIONS } from '@bugle/contract'
import { isId, type ProjectId, type UserId } from '../../model/ids.ts'
import type { IssuePatch as Patch, PublishingObstacle, StoredIssue } from '../../model/issues.ts'
import { findLabel, type LabelRecord } from '../../model/labels.ts'
import { laneOf } from '../../model/lanes.ts'
import type { UserRecord } from '../../model/people/users.ts'
import type { IssuePlace } from '../../storage/ports/issues.ts'
import { actorOf, type Caller, type Sight } from '../access/access.ts'
import { badMember, DomainError, notFound } from '../domain-error.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { showIssue, type TaggedIssue } from './issue-views.ts'

export interface Triage {
  /** Changes an issue. With `ifVersions`, only if its version is one of them. */
  change(
    caller: Caller,
    id: string,
    patch: IssuePatch,
    ifVersions: readonly number[] | null,
  ): Promise<TaggedIssue>
  /** Deletes an issue. With `ifVersions`, only if its version is one of them. */
  delete(caller: Caller, id: string, ifVersions: readonly number[] | null): Promise<void>
}

export function createTriage({ storage, clock }: IssueDependencies, finder: IssueFinder): Triage {
  /**
   * The person who may be assigned to a hidden issue after the change, if any. An issue that is being hidden may
   * get another assignee in the meantime: the transaction then removes that one.
   */
  async function findLaneAssignee(
    place: IssuePlace,
    { assigneeId, category }: Patch,
  ): Promise<UserId | null> {
    if (assigneeId === null) return null
    const chosen = assigneeId === undefined ? undefined : await storage.users.find(assigneeId)
    if (assigneeId !== undefined && !(chosen && seesProject(chosen, place.projectId))) throw unknownPerson()
    if (chosen === undefined && category !== 'security') return null
    const assignee = chosen ?? (await findAssignee(place))
    return assignee?.canSeeSecurity ? assignee.id : null
  }

  async function findAssignee({ projectId, issueId }: IssuePlace): Promise<UserRecord | undefined> {
    const issue = await storage.issues.find(projectId, issueId)
    return issue?.assigneeId ? storage.users.find(issue.assigneeId) : undefined
  }

  return {
    async change(caller, id, patch, ifVersions) {
      const { project, sight, issueId } = await finder.requireProjectOf(
        caller,
        endpoints.changeIssue.access,
        id,
      )
      const wanted = normalisePatch(patch, sight.labels)
      const laneAssignee = await findLaneAssignee({ projectId: project.id, issueId }, wanted)
      const outcome = await storage.issues.change({
        projectId: project.id,
        issueId,
        lanes: sight.lanes,
        patch: wanted,
        laneAssignee,
        ...(wanted.labels && { labelNames: namesByNumber(sight.labels) }),
        ifVersions,
        actor: actorOf(caller),
        at: clock(),
      })
      if (outcome.kind === 'missing') throw notFound()
      if (outcome.kind === 'stale') throw changedMeanwhile()
      if (outcome.kind === 'invalid-transition') throw invalidTransition(outcome)
      if (outcome.kind === 'is-duplicate') throw isDuplicate(outcome)
      if (outcome.kind === 'incomplete-fix') {
        throw badMember('fixedIn/appVersion', 'required', 'A build number needs an app version.')
      }
      if (outcome.kind === 'assignee-refused') {
        throw assigneeRefused()
      }
      if (outcome.kind === 'not-published') throw notPublished(outcome.reason)
      return showIssue(await finder.withAttachmentState(asSeenOnce(outcome.issue, sight)), sight)
    },

    async delete(caller, id, ifVersions) {
      const { project, sight, issueId } = await finder.requireProjectOf(
        caller,
        endpoints.deleteIssue.access,
        id,
      )
      const outcome = await storage.issues.delete({
        projectId: project.id,
        issueId,
        lanes: sight.lanes,
        ifVersions,
        actor: actorOf(caller),
        at: clock(),
      })
      if (outcome === 'missing') throw notFound()
      if (outcome === 'stale') throw changedMeanwhile()
    },
  }
}

/**
 * Hides fields of an issue that the caller can no longer see: a lost fingerprint would reveal that the lane
 * already has it, and a lost assignee that this person may not see the lane.
 */
function asSeenOnce(issue: StoredIssue, { lanes }: Sight): StoredIssue {
  return lanes.includes(laneOf(issue.category)) ? issue : { ...issue, fingerprint: null, assigneeId: null }
}

/** An empty note counts as no note. */
function normalisePatch(
  { note, assigneeId, labels, reply: _, ...patch }: IssuePatch,
  known: readonly LabelRecord[],
): Patch {
  if (typeof assigneeId === 'string' && !isId('usr', assigneeId)) throw unknownPerson()
  return {
    ...patch,
    ...(assigneeId !== undefined && { assigneeId }),
    ...(labels !== undefined && { labels: numbersOf(labels ?? [], known) }),
    ...(typeof note === 'string' && { note }),
  }
}

/** The labels with these names, in ascending order, each once. `member` is the field that names them. */
export function numbersOf(
  names: readonly string[],
  known: readonly LabelRecord[],
  member = 'labels',
): readonly number[] {
  const numbers = names.map((name, index) => {
    const label = findLabel(known, name)
    if (label === undefined)
      throw badMember(`${member}/${index}`, 'unknown', 'The project has no label of this name.')
    return label.number
  })
  return [...new Set(numbers)].sort((one, other) => one - other)
}

export function namesByNumber(labels: readonly LabelRecord[]): Readonly<Record<number, string>> {
  return Object.fromEntries(labels.map(({ number, name }) => [number, name]))
}

export function seesProject({ projectIds }: UserRecord, projectId: ProjectId): boolean {
  return projectIds?.includes(projectId) ?? true
}

/** The same whether the person does not exist or has no access. */
export function unknownPerson(member = 'assigneeId'): DomainError {
  return badMember(member, 'unknown', 'No person with this id has access to the project.')
}

export function assigneeRefused(member = 'assigneeId'): DomainError {
  return badMember(member, 'not-allowed', 'This person may not see issues of category security.')
}

function notPublished(reason: PublishingObstacle): DomainError {
  if (reason === 'no-title') return badMember('known/title', 'required', 'A known issue needs a title.')
  if (reason === 'too-many') {
    return new DomainError('limit-reached', {
      detail: `A project can publish at most ${MAX_KNOWN_ISSUES} known issues. Unpublish one first.`,
    })
  }
  const what = reason === 'spam' ? 'Spam' : 'An issue of category security'
  return badMember('known', 'not-allowed', `${what} cannot be published.`)
}

export function changedMeanwhile(): DomainError {
  return new DomainError('precondition-failed', {
    detail: 'The issue has changed. Retrieve it again, and retry with its new ETag.',
  })
}

export function isDuplicate({ duplicateOf }: { readonly duplicateOf: string }): DomainError {
  return new DomainError('is-duplicate', {
    detail: `The issue is a duplicate of ${duplicateOf}: its status cannot be changed. Unmerge it first.`,
    members: { duplicateOf },
  })
}

export function invalidTransition({ from, to }: { from: Issue['status']; to: Issue['status'] }): DomainError {
  const allowed = TRANSITIONS[from]
  return new DomainError('invalid-transition', {
    detail: `An issue that is ${from} cannot change to ${to}; it can change to ${allowed.join(', ')}.`,
    members: { from, to, allowed },
  })
}
