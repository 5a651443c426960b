import { endpoints } from '@bugle/contract'
import type { Duplicates } from '../../../domain/issues/duplicates.ts'
import { versionsIn } from '../../answers/conditional.ts'
import { answer, type Bind } from '../../route.ts'

/** Responses depend on the caller and must not be cached. */
const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

export function bindDuplicates(bind: Bind, duplicates: Duplicates): void {
  bind(endpoints.mergeIssue, async ({ caller, params, body, request }) => {
    const versions = versionsIn(request.headers['if-match'])
    const { issue, tag } = await duplicates.merge(caller, params.id, body, versions)
    return answer(200, issue, { ...PRIVATE, etag: `"${tag}"` })
  })

  bind(endpoints.unmergeIssue, async ({ caller, params, request }) => {
    const versions = versionsIn(request.headers['if-match'])
    const { issue, tag } = await duplicates.unmerge(caller, params.id, versions)
    return answer(200, issue, { ...PRIVATE, etag: `"${tag}"` })
  })

  bind(endpoints.listDuplicates, async ({ caller, params, query }) =>
    answer(200, await duplicates.listDuplicates(caller, params.id, query), PRIVATE),
  )
}
