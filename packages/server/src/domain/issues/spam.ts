import { endpoints, type SpamMark } from '@bugle/contract'
import type { ProjectId } from '../../model/ids.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { spamKeptSince } from '../../model/reports/senders.ts'
import { actorOf, type Caller } from '../access/access.ts'
import { notFound } from '../domain-error.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { showIssue, type TaggedIssue } from './issue-views.ts'
import { changedMeanwhile } from './triage.ts'

export interface Spam {
  /** Marks an issue as spam. With `ifVersions`, only if its version is one of them. */
  markSpam(
    caller: Caller,
    id: string,
    mark: SpamMark,
    ifVersions: readonly number[] | null,
  ): Promise<TaggedIssue>
  unmarkSpam(caller: Caller, id: string, ifVersions: readonly number[] | null): Promise<TaggedIssue>
}

export function createSpam({ storage, clock }: IssueDependencies, finder: IssueFinder): Spam {
  async function mark(
    caller: Caller,
    id: string,
    { isSpam, ifVersions }: { readonly isSpam: boolean; readonly ifVersions: readonly number[] | null },
    follow: (projectId: ProjectId, issue: StoredIssue) => Promise<void>,
  ): Promise<TaggedIssue> {
    const { access } = endpoints.markSpam
    const { project, sight, issueId } = await finder.requireProjectOf(caller, access, id)
    const outcome = await storage.issues.markSpam({
      projectId: project.id,
      issueId,
      lanes: sight.lanes,
      isSpam,
      ifVersions,
      actor: actorOf(caller),
      at: clock(),
    })
    if (outcome.kind === 'missing') throw notFound()
    if (outcome.kind === 'stale') throw changedMeanwhile()
    const { issue } = outcome
    // Afterwards, and also if nothing has changed: a retry completes what was interrupted.
    await follow(project.id, issue)
    return showIssue(await finder.withAttachmentState(issue), sight)
  }

  return {
    markSpam: (caller, id, { blockSender }, ifVersions) =>
      mark(caller, id, { isSpam: true, ifVersions }, async (projectId, issue) => {
        const since = spamKeptSince(clock())
        if (blockSender) await storage.senders.block({ projectId, issueId: issue.id, since })
      }),

    unmarkSpam: (caller, id, ifVersions) =>
      mark(caller, id, { isSpam: false, ifVersions }, (projectId) => storage.senders.unblock(projectId)),
  }
}
