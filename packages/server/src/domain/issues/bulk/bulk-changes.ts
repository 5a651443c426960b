import { hash } from 'node:crypto'
import {
  type BulkChange,
  type BulkResult,
  endpoints,
  MAX_BULK_ISSUES,
  MAX_ISSUE_LABELS,
} from '@bugle/contract'
import type { BulkCommand, BulkOutcome, BulkPatch, SelectedIssue } from '../../../model/bulk-changes.ts'
import { type IssueId, isId, type ProjectId, type UserId } from '../../../model/ids.ts'
import type { IssueSelection, ListStart } from '../../../model/issue-lists.ts'
import type { LabelRecord } from '../../../model/labels.ts'
import type { ProjectRecord } from '../../../model/projects.ts'
import { actorOf, type Caller, requireSight } from '../../access/access.ts'
import type { RateLimiter } from '../../access/rate-limits.ts'
import { badMember, DomainError, notFound } from '../../domain-error.ts'
import { selectionOf } from '../issue-filters.ts'
import type { IssueDependencies, IssueFinder } from '../issue-finder.ts'
import type { IssueSight } from '../issue-views.ts'
import {
  assigneeRefused,
  invalidTransition,
  isDuplicate,
  namesByNumber,
  numbersOf,
  seesProject,
  unknownPerson,
} from '../triage.ts'
import { createBulkTurns } from './bulk-turns.ts'

/** How many parts of a list are read to find the issues that match: each examines a limited number of rows. */
const MAX_LIST_PARTS = 5

export interface BulkChanges {
  /** Changes or deletes several issues of a project, all of them or none, once per id. */
  changeSeveral(caller: Caller, change: BulkChange): Promise<ChangedSeveral>
}

export interface ChangedSeveral {
  readonly result: BulkResult
  /** Whether an earlier request has made the change. */
  readonly isReplayed: boolean
}

export interface BulkDependencies extends IssueDependencies {
  /** Absent if rate limits are off. */
  readonly limiter: Pick<RateLimiter, 'reserveBulk'> | undefined
}

export function createBulkChanges(
  { storage, clock, limiter }: BulkDependencies,
  finder: IssueFinder,
): BulkChanges {
  const { issues, users } = storage
  const turns = createBulkTurns()

  async function findIssues(selection: IssueSelection, count: number): Promise<readonly SelectedIssue[]> {
    const found: SelectedIssue[] = []
    let start: ListStart = { offset: 0 }
    for (let part = 0; part < MAX_LIST_PARTS; part++) {
      const limit = count + 1 - found.length
      const listing = { selection, sort: 'newest', start, limit, omitsTotal: true } as const
      const { issues: some, next } = await issues.list(listing)
      found.push(...some.map(({ id, version }) => ({ issueId: id, version })))
      if (found.length > count || next === null) return found
      start = { after: next }
    }
    throw badMember('filter', 'too-broad', 'The filter examines too many issues. Add further filters.')
  }

  /** The selected issues, each once. */
  async function select(
    change: BulkChange,
    filtering: { readonly caller: Caller; readonly project: ProjectRecord; readonly sight: IssueSight },
  ): Promise<readonly SelectedIssue[]> {
    const { issues: named, filter, count } = change
    if (named !== undefined) {
      const versions = new Map(named.map(({ id, version }) => [id, version]))
      const known = [...versions].filter(([id]) => isId('iss', id))
      if (known.length < versions.size) throw selectionChanged(versions.size - known.length)
      return known.map(([id, version]) => ({ issueId: id as IssueId, version }))
    }
    if (filter === undefined || count === undefined)
      throw badMember('count', 'required', 'count is required.')
    const found = await findIssues(selectionOf({ ...filtering, query: filter }), count)
    if (found.length === count) return found
    const actual = found.length > count ? `more than ${count}` : String(found.length)
    throw new DomainError('selection-changed', {
      detail: `The filter matches ${actual} issues, not ${count}. Nothing was changed.`,
    })
  }

  /** The new assignee, if they may see hidden issues. */
  async function findLaneAssignee({ id }: ProjectRecord, { assigneeId }: BulkPatch): Promise<UserId | null> {
    if (assigneeId === undefined || assigneeId === null) return null
    const person = await users.find(assigneeId)
    if (person === undefined || !seesProject(person, id)) throw unknownPerson('patch/assigneeId')
    return person.canSeeSecurity ? person.id : null
  }

  /** The command is prepared once it is its turn: while it waits, the selection and the time would become outdated. The project is charged for the time of the commit. */
  async function write(projectId: ProjectId, prepare: () => Promise<BulkCommand>): Promise<BulkOutcome> {
    const charge = limiter?.reserveBulk(projectId, clock())
    return turns.take(projectId, async () => {
      let began: number | undefined
      try {
        const command = await prepare()
        began = performance.now()
        return await issues.changeSeveral(command)
      } finally {
        charge?.(began === undefined ? 0 : performance.now() - began, clock())
      }
    })
  }

  /** A retry completes what was interrupted. */
  async function finish(
    { id }: ProjectRecord,
    change: BulkChange,
    outcome: BulkOutcome,
  ): Promise<ChangedSeveral> {
    const shown = show(change, outcome)
    if (change.action === 'unmark_spam') await storage.senders.unblock(id)
    return shown
  }

  return {
    async changeSeveral(caller, change) {
      requireWhole(change)
      const { access } = endpoints.changeIssues
      const { project, sight } = await finder.requireProject(caller, access, change.projectId)
      if (change.action === 'delete') requireSight(caller, endpoints.deleteIssue.access, project)
      const contentHash = hashOf(change)
      // Each caller has ids of their own, and cannot learn which ones others have used.
      const bulkId = `${actorOf(caller)} ${change.bulkId}`
      // After the change the filter may match other issues, so a retry must not get that far.
      const known = await issues.findBulkChange(project.id, bulkId)
      if (known?.contentHash === contentHash)
        return finish(project, change, { kind: 'replayed', record: known })
      if (known !== undefined) throw bulkConflict()
      const patch = normalisePatch(change.patch ?? {}, sight.labels)
      const laneAssignee = await findLaneAssignee(project, patch)
      const prepare = async (): Promise<BulkCommand> => ({
        projectId: project.id,
        bulkId,
        contentHash,
        action: change.action,
        issues: await select(change, { caller, project, sight }),
        lanes: sight.lanes,
        patch,
        laneAssignee,
        labelNames: namesByNumber(sight.labels),
        actor: actorOf(caller),
        at: clock(),
      })
      return finish(project, change, await write(project.id, prepare))
    },
  }
}

/** What a schema cannot express: which fields belong together. */
function requireWhole({ issues, filter, count, action, patch }: BulkChange): void {
  if ((issues === undefined) === (filter === undefined))
    throw badMember('issues', 'conflict', 'Pass either issues or filter.')
  if ((filter === undefined) !== (count === undefined))
    throw badMember('count', filter === undefined ? 'conflict' : 'required', 'count belongs to filter.')
  if ((action === 'change') !== (patch !== undefined))
    throw badMember(
      'patch',
      action === 'change' ? 'required' : 'conflict',
      'patch belongs to the action change.',
    )
  if (patch !== undefined && Object.keys(patch).length === 0)
    throw badMember('patch', 'required', 'patch must name at least one field.')
}

function show({ bulkId, action }: BulkChange, outcome: BulkOutcome): ChangedSeveral {
  if (outcome.kind === 'missing') throw notFound()
  if (outcome.kind === 'conflict') throw bulkConflict()
  if (outcome.kind === 'selection-changed') throw selectionChanged(outcome.count)
  if (outcome.kind === 'invalid-transition') throw invalidTransition(outcome)
  if (outcome.kind === 'is-duplicate') throw isDuplicate(outcome)
  if (outcome.kind === 'too-many-duplicates')
    throw new DomainError('limit-reached', {
      detail: `Together, these issues have more than ${MAX_BULK_ISSUES} duplicates. Delete fewer at a time.`,
    })
  if (outcome.kind === 'assignee-refused') throw assigneeRefused('patch/assigneeId')
  if (outcome.kind === 'too-many-labels')
    throw badMember('patch/addLabels', 'too-many', `An issue can have at most ${MAX_ISSUE_LABELS} labels.`)
  const { matched: matchedCount, changed: changedCount } = outcome.record
  return {
    result: { bulkId, action, matchedCount, changedCount },
    isReplayed: outcome.kind === 'replayed',
  }
}

/** An empty note counts as no note. */
function normalisePatch(
  { status, priority, assigneeId, addLabels, removeLabels, note }: NonNullable<BulkChange['patch']>,
  known: readonly LabelRecord[],
): BulkPatch {
  if (typeof assigneeId === 'string' && !isId('usr', assigneeId)) throw unknownPerson('patch/assigneeId')
  return {
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(assigneeId !== undefined && { assigneeId: assigneeId as UserId | null }),
    ...(addLabels !== undefined && { addedLabels: numbersOf(addLabels, known, 'patch/addLabels') }),
    ...(removeLabels !== undefined && {
      removedLabels: numbersOf(removeLabels, known, 'patch/removeLabels'),
    }),
    ...(typeof note === 'string' && note !== '' && { note }),
  }
}

function hashOf({ bulkId: _, ...content }: BulkChange): string {
  return hash('sha256', JSON.stringify(content), 'hex')
}

function bulkConflict(): DomainError {
  return new DomainError('bulk-conflict', {
    detail: 'This bulkId was used for another change. A new change needs a new id.',
  })
}

function selectionChanged(count: number): DomainError {
  return new DomainError('selection-changed', {
    detail: `Nothing was changed. Selected issues that have changed or do not exist: ${count}.`,
  })
}
