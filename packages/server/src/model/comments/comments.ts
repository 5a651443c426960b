import { hash } from 'node:crypto'
import type { CommentAudience } from '@bugle/contract/vocabulary'
import type { Actor } from '../events.ts'
import type { IssueId, ProjectId } from '../ids.ts'
import type { Lane } from '../lanes.ts'
import type { AttachmentRecord, NewAttachment } from '../reports/attachments.ts'
import type { Mention, MentionedPerson } from './mentions.ts'

/** A comment on an issue. Deleted ones are not shown. */
export interface CommentRecord {
  readonly issueNumber: number
  /** Within its issue, in the order they were written. Not reused. */
  readonly number: number
  /** Chosen by the client, unique within the issue. */
  readonly id: string
  readonly author: Actor
  readonly audience: CommentAudience
  /** The report that a reply or a message is about; `null`: all, or none. */
  readonly reportNumber: number | null
  readonly text: string
  readonly mentions: readonly Mention[]
  readonly attachments: readonly AttachmentRecord[]
  readonly createdAt: number
  readonly editedAt: number | null
}

/** Which comment, and who does something with it. */
export interface CommentCommand {
  readonly projectId: ProjectId
  readonly issueId: IssueId
  readonly commentId: string
  /** The lanes that the caller sees: other issues are missing. */
  readonly lanes: readonly Lane[]
  readonly actor: Actor
  readonly at: number
}

export interface CommentDeletion extends CommentCommand {
  /** Whether the caller may delete comments of others. */
  readonly mayDeleteAny: boolean
}

export interface NewComment extends CommentCommand {
  readonly text: string
  readonly audience: CommentAudience
  /** The report that it is about: of a reply, the only one whose reporter may read it. */
  readonly reportNumber?: number | null
  /** If the issue is hidden by then, those who may not see it are left out. */
  readonly mentioned: readonly MentionedPerson[]
  /** The files that follow, if there are any. */
  readonly attachments?: readonly NewAttachment[]
}

export interface CommentChange extends CommentCommand, Pick<NewComment, 'mentioned'> {
  /** `null`: unchanged. */
  readonly text: string | null
  /** The files from now on: those that the comment has already are kept. `null` or absent: unchanged. */
  readonly attachments?: readonly NewAttachment[] | null
}

export type CreateCommentOutcome =
  | { readonly kind: 'created' | 'replayed'; readonly comment: CommentRecord }
  /** The id was used for another comment on the issue, which may have been deleted. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'missing' }

export type ChangeCommentOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly comment: CommentRecord }
  | { readonly kind: 'not-author' }
  | { readonly kind: 'missing' }

export type DeleteCommentOutcome = 'deleted' | 'not-author' | 'missing'

/** A comment, by the number of its issue. */
export type CommentPlace = Pick<CommentRecord, 'issueNumber' | 'id'>

export interface CommentListing {
  readonly projectId: ProjectId
  readonly issueNumber: number
  readonly afterNumber: number
  readonly limit: number
}

/** Equal for a retry. In hexadecimal. Files are a part of it only if there are any, as in earlier releases. */
export function hashComment({
  actor,
  audience,
  text,
  reportNumber,
  attachments = [],
}: Pick<NewComment, 'actor' | 'audience' | 'text' | 'reportNumber' | 'attachments'>): string {
  const files = attachments.map(({ name, declaredType, size, sha256 }) => [name, declaredType, size, sha256])
  // Comments of earlier releases have neither a report nor files.
  const content = [
    actor,
    audience,
    text,
    ...(reportNumber ? [reportNumber] : []),
    ...(files.length === 0 ? [] : [files]),
  ]
  return hash('sha256', JSON.stringify(content), 'hex')
}
