import { MAX_COMMENT_ID_CHARS } from './limits.ts'

/** Who can read a comment. `team`: callers with `issues:read`. `reporters`: also the people who reported the issue, or one of them. */
export const COMMENT_AUDIENCES = ['team', 'reporters'] as const
export type CommentAudience = (typeof COMMENT_AUDIENCES)[number]
export const DEFAULT_COMMENT_AUDIENCE: CommentAudience = 'team'

/** The client chooses the id of a comment. It is also part of a path. */
export const COMMENT_ID_PATTERN = '^[A-Za-z0-9_-]+$'

/** The id of a message from a reporter also has the number of their report: it can never be that of another comment. */
export const ANY_COMMENT_ID_PATTERN = '^(?:[0-9]{1,10}\\.)?[A-Za-z0-9_-]+$'

const COMMENT_ID = new RegExp(ANY_COMMENT_ID_PATTERN)

/** Whether a comment of an issue can have this id. */
export function isCommentId(text: string): boolean {
  return text.length <= MAX_COMMENT_ID_CHARS && COMMENT_ID.test(text)
}
