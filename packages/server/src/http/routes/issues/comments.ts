import { endpoints } from '@bugle/contract'
import type { Comments } from '../../../domain/issues/comments.ts'
import { answer, type Bind } from '../../route.ts'

/** Responses depend on the caller and must not be cached. */
const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

export function bindComments(bind: Bind, comments: Comments): void {
  bind(endpoints.listIssueComments, async ({ caller, params, query }) =>
    answer(200, await comments.listComments(caller, params.id, query), PRIVATE),
  )

  bind(endpoints.createComment, async ({ caller, params, body }) => {
    const { comment, isReplayed } = await comments.createComment(caller, params.id, body)
    return answer(201, comment, { ...PRIVATE, ...(isReplayed && { 'idempotency-replayed': 'true' }) })
  })

  bind(endpoints.changeComment, async ({ caller, params, body }) =>
    answer(200, await comments.changeComment(caller, params, body), PRIVATE),
  )

  bind(endpoints.deleteComment, async ({ caller, params }) => {
    await comments.deleteComment(caller, params)
    return answer(204, undefined)
  })
}
