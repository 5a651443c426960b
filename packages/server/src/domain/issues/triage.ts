import { endpoints, type Issue, type IssuePatch, TRANSITIONS } from '@bugle/contract'
import type { IssuePatch as Patch, StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import { actorOf, type Caller, type Sight } from '../access/access.ts'
import { badMember, DomainError, notFound } from '../domain-error.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { showIssue, tagOfIssue } from './issue-views.ts'

export interface Triage {
  /** Changes an issue. With `ifVersions`, only while it is one of them. */
  change(
    caller: Caller,
    id: string,
    patch: IssuePatch,
    ifVersions: readonly number[] | null,
  ): Promise<{ readonly issue: Issue; readonly tag: string }>
  /** Deletes an issue. With `ifVersions`, only while it is one of them. */
  delete(caller: Caller, id: string, ifVersions: readonly number[] | null): Promise<void>
}

export function createTriage({ storage, clock }: IssueDependencies, finder: IssueFinder): Triage {
  return {
    async change(caller, id, patch, ifVersions) {
      const { project, sight, issueId } = await finder.requireProjectOf(
        caller,
        endpoints.changeIssue.access,
        id,
      )
      const outcome = await storage.issues.change({
        projectId: project.id,
        issueId,
        lanes: sight.lanes,
        patch: normalisePatch(patch),
        ifVersions,
        actor: actorOf(caller),
        at: clock(),
      })
      if (outcome.kind === 'missing') throw notFound()
      if (outcome.kind === 'stale') throw changedMeanwhile()
      if (outcome.kind === 'invalid-transition') throw invalidTransition(outcome)
      if (outcome.kind === 'incomplete-fix') {
        throw badMember('fixedIn/appVersion', 'required', 'A build number needs an app version.')
      }
      const issue = asSeenOnce(outcome.issue, sight)
      return { issue: showIssue(issue, sight), tag: tagOfIssue(issue, sight) }
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

/** An issue that has left the caller's sight keeps its fingerprint to itself: one that was lost tells that the lane has it. */
function asSeenOnce(issue: StoredIssue, { lanes }: Sight): StoredIssue {
  return lanes.includes(laneOf(issue.category)) ? issue : { ...issue, fingerprint: null }
}

/** An empty note is none. */
function normalisePatch({ note, ...patch }: IssuePatch): Patch {
  return typeof note === 'string' ? { ...patch, note } : patch
}

function changedMeanwhile(): DomainError {
  return new DomainError('precondition-failed', {
    detail: 'The issue was changed meanwhile. Retrieve it, look, and try again with its new ETag.',
  })
}

function invalidTransition({ from, to }: { from: Issue['status']; to: Issue['status'] }): DomainError {
  const allowed = TRANSITIONS[from]
  return new DomainError('invalid-transition', {
    detail: `An issue that is ${from} can not become ${to}; it can become ${allowed.join(', ')}.`,
    members: { from, to, allowed },
  })
}
