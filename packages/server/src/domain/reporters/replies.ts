import { endpoints, type IssueReply } from '@bugle/contract'
import type { StoredIssue } from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import { actorOf, type Caller } from '../access/access.ts'
import { type Comments, idTaken, tooMany } from '../issues/comments.ts'
import type { IssueDependencies, IssueFinder } from '../issues/issue-finder.ts'
import { showIssue } from '../issues/issue-views.ts'
import type { Triage } from '../issues/triage.ts'

/** A caller who may change an issue may reply, even if the change moves it out of their sight. */
const ALL_LANES: readonly Lane[] = ['open', 'security']

/** Changes with a reply to the reporters: the change first, then the reply, so that a refused change sends nothing. */
export function withReplies(
  triage: Triage,
  { storage, clock }: IssueDependencies,
  finder: IssueFinder,
  { requireAddressee }: Pick<Comments, 'requireAddressee'>,
): Triage {
  async function isSent(issue: StoredIssue, reply: IssueReply, reportNumber: number | null, caller: Caller) {
    const { projectId, issueNumber } = issue
    const [known] = await storage.comments.findSome(projectId, [{ issueNumber, id: reply.commentId }])
    if (known === undefined) return false
    const isSame =
      known.text === reply.text &&
      known.audience === 'reporters' &&
      known.author === actorOf(caller) &&
      known.reportNumber === reportNumber
    if (!isSame) throw idTaken()
    return true
  }

  return {
    ...triage,
    async change(caller, id, { reply, ...patch }, ifVersions) {
      if (!reply) return triage.change(caller, id, patch, ifVersions)
      const { issue, sight } = await finder.requireIssue(caller, endpoints.changeIssue.access, id)
      const reportNumber = await requireAddressee(issue, reply.reportId ?? null, 'reply/reportId')
      // The change of a reply that was sent has been made, too.
      if (await isSent(issue, reply, reportNumber, caller)) return triage.change(caller, id, {}, null)
      const changed = await triage.change(caller, id, patch, ifVersions)
      const outcome = await storage.comments.create({
        projectId: issue.projectId,
        issueId: issue.id,
        commentId: reply.commentId,
        lanes: ALL_LANES,
        actor: actorOf(caller),
        at: clock(),
        text: reply.text,
        audience: 'reporters',
        reportNumber,
        mentioned: [],
      })
      if (outcome.kind === 'conflict') throw idTaken()
      if (outcome.kind === 'too-many') throw tooMany()
      const after = await storage.issues.find(issue.projectId, issue.id)
      if (after === undefined || !sight.lanes.includes(laneOf(after.category))) return changed
      return showIssue(after, sight)
    },
  }
}
