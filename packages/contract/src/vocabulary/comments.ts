import { MAX_COMMENT_ID_CHARS } from './limits.ts'

/** Who can read a comment. `team`: callers with `issues:read`. */
export const COMMENT_AUDIENCES = ['team'] as const
export type CommentAudience = (typeof COMMENT_AUDIENCES)[number]
export const DEFAULT_COMMENT_AUDIENCE: CommentAudience = 'team'

/** The client chooses the id of a comment. It is also part of a path. */
export const COMMENT_ID_PATTERN = '^[A-Za-z0-9_-]+$'

const COMMENT_ID = new RegExp(COMMENT_ID_PATTERN)

export function isCommentId(text: string): boolean {
  return text.length <= MAX_COMMENT_ID_CHARS && COMMENT_ID.test(text)
}
