import {
  type Access,
  type Comment,
  type CommentCreation,
  type CommentPage,
  type CommentPatch,
  type CommentQuery,
  DEFAULT_COMMENT_AUDIENCE,
  type DeclaredAttachment,
  endpoints,
  isCommentId,
  MAX_ISSUE_COMMENTS,
} from '@bugle/contract'
import type { CommentCommand, CommentRecord } from '../../model/comments/comments.ts'
import { findMentions, hasMentions, type MentionedPerson } from '../../model/comments/mentions.ts'
import { isId, projectNumberOf, type UserId } from '../../model/ids.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import type { UserRecord } from '../../model/people/users.ts'
import type { NewAttachment } from '../../model/reports/attachments.ts'
import { actorOf, type Caller, hasScope } from '../access/access.ts'
import type { AttachmentLimits } from '../attachments/attachment-limits.ts'
import { checkFiles, toNewAttachments } from '../attachments/declarations.ts'
import { fitting, pagingOf } from '../cursor-pages.ts'
import { badMember, DomainError, notFound } from '../domain-error.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { noSecret } from './reports.ts'

/** People who are looked up in one query, and in all, to find whom a comment mentions. */
const PEOPLE_PER_QUERY = 500
const MAX_PEOPLE = 5_000

export interface Comments {
  listComments(caller: Caller, id: string, query: CommentQuery): Promise<CommentPage>
  createComment(
    caller: Caller,
    id: string,
    comment: CommentCreation,
  ): Promise<{ readonly comment: Comment; readonly isReplayed: boolean }>
  changeComment(caller: Caller, place: CommentAddress, patch: CommentPatch): Promise<Comment>
  deleteComment(caller: Caller, place: CommentAddress): Promise<void>
  /** The number of the only report that a reply is for; `null` without one. `member` is the field that names it. */
  requireAddressee(issue: StoredIssue, reportId: string | null, member: string): Promise<number | null>
}

/** An issue and one of its comments, from the address. */
interface CommentAddress {
  readonly id: string
  readonly commentId: string
}

interface CommentDependencies extends IssueDependencies {
  readonly attachmentLimits: AttachmentLimits
}

export function createComments(
  { storage, clock, eventViews, attachmentLimits }: CommentDependencies,
  finder: IssueFinder,
): Comments {
  async function requirePlace(caller: Caller, access: Access, { id, commentId }: CommentAddress) {
    const { issue, sight } = await finder.requireIssue(caller, access, id)
    if (!isCommentId(commentId)) throw notFound()
    const command: CommentCommand = {
      projectId: issue.projectId,
      issueId: issue.id,
      commentId,
      lanes: sight.lanes,
      actor: actorOf(caller),
      at: clock(),
    }
    return { issue, command }
  }

  /** Only people who may see the issue are considered, so that a mention reveals nothing about others. */
  async function mentionedIn(text: string, issue: StoredIssue): Promise<readonly MentionedPerson[]> {
    if (!hasMentions(text)) return []
    const people: UserRecord[] = []
    const canSeeSecurity = laneOf(issue.category) === 'security'
    for (let afterId: UserId | null = null; people.length < MAX_PEOPLE; ) {
      const { projectId } = issue
      const limit = PEOPLE_PER_QUERY
      const found = await storage.users.listOfProject({ projectId, canSeeSecurity, afterId, limit })
      people.push(...found)
      afterId = found.at(-1)?.id ?? null
      if (found.length < limit) break
    }
    return findMentions(text, people)
  }

  /** The files that a comment declares, as they are stored. */
  function filesOf(
    attachments: readonly DeclaredAttachment[],
    { projectId, at }: CommentCommand,
  ): readonly NewAttachment[] {
    checkFiles(attachments, attachmentLimits)
    return toNewAttachments(attachments, at, projectNumberOf(projectId))
  }

  async function show({ id }: StoredIssue, comment: CommentRecord): Promise<Comment> {
    const [shown] = await eventViews.showComments(id, [comment])
    if (shown === undefined) throw new TypeError('a comment is shown as one comment')
    return shown
  }

  const requireAddressee: Comments['requireAddressee'] = async (issue, reportId, member) => {
    if (reportId === null) return null
    const report = isId('rep', reportId) ? await storage.issues.findReport(issue, reportId) : undefined
    if (report === undefined) throw badMember(member, 'unknown', 'The issue has no report with this id.')
    if (report.reporterKeyHash === null) throw noSecret()
    return report.reportNumber
  }

  return {
    requireAddressee,

    async listComments(caller, id, query) {
      const { issue } = await finder.requireIssue(caller, endpoints.listIssueComments.access, id)
      const { projectId, issueNumber } = issue
      const paging = pagingOf(query, ['comments', issue.id], 0)
      const { from: afterNumber, pageSize } = paging
      const found = await storage.comments.list({ projectId, issueNumber, afterNumber, limit: pageSize + 1 })
      const shown = fitting(found.slice(0, pageSize), ({ text }) => text.length)
      const isCut = shown.length < found.length
      return {
        data: await eventViews.showComments(issue.id, shown),
        pagination: paging.paginate(
          isCut ? pageSize + 1 : shown.length,
          shown.at(-1)?.number,
          issue.commentCount,
        ),
      }
    },

    async createComment(caller, id, { commentId, text, audience, reportId, attachments }) {
      const { access } = endpoints.createComment
      const { issue, command } = await requirePlace(caller, access, { id, commentId })
      if (reportId && audience !== 'reporters')
        throw badMember(
          'reportId',
          'not-allowed',
          'Only a comment with the audience reporters can name a report.',
        )
      const outcome = await storage.comments.create({
        ...command,
        text,
        audience: audience ?? DEFAULT_COMMENT_AUDIENCE,
        reportNumber: await requireAddressee(issue, reportId ?? null, 'reportId'),
        mentioned: await mentionedIn(text, issue),
        attachments: filesOf(attachments ?? [], command),
      })
      if (outcome.kind === 'missing') throw notFound()
      if (outcome.kind === 'conflict') throw idTaken()
      if (outcome.kind === 'too-many') throw tooMany()
      return { comment: await show(issue, outcome.comment), isReplayed: outcome.kind === 'replayed' }
    },

    async changeComment(caller, address, { text = null, attachments = null }) {
      const { issue, command } = await requirePlace(caller, endpoints.changeComment.access, address)
      const outcome = await storage.comments.change({
        ...command,
        text,
        mentioned: text === null ? [] : await mentionedIn(text, issue),
        attachments: attachments && filesOf(attachments, command),
      })
      if (outcome.kind === 'missing') throw notFound()
      if (outcome.kind === 'not-author') throw notAuthor()
      return show(issue, outcome.comment)
    },

    async deleteComment(caller, address) {
      const { command } = await requirePlace(caller, endpoints.deleteComment.access, address)
      const mayDeleteAny = hasScope(caller, 'issues:delete')
      const outcome = await storage.comments.delete({ ...command, mayDeleteAny })
      if (outcome === 'missing') throw notFound()
      if (outcome === 'not-author') throw notAuthor()
    },
  }
}

export function idTaken(): DomainError {
  return new DomainError('comment-conflict', {
    detail: 'Another comment on this issue has this commentId. Choose a new one for a new comment.',
  })
}

export function tooMany(): DomainError {
  return new DomainError('limit-reached', {
    detail: `An issue can have at most ${MAX_ISSUE_COMMENTS} comments, including deleted ones.`,
  })
}

export function notAuthor(): DomainError {
  return new DomainError('not-author', { detail: 'Only the author of a comment may edit or delete it.' })
}
