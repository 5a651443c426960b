import { endpoints } from '@bugle/contract'
import type { Issues } from '../../../domain/issues/issues.ts'
import {
  answerTagged,
  answerUnchanged,
  hasCopy,
  isKnown,
  versionsIn,
  weak,
} from '../../answers/conditional.ts'
import type { PageLinks } from '../../answers/page-links.ts'
import { clientOf } from '../../gates/client-address.ts'
import { submissionIdOf } from '../../input/submission-id.ts'
import { answer, type Bind } from '../../route.ts'

/** Responses depend on the caller and must not be cached. */
const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

export function bindIssues(bind: Bind, issues: Issues, links: PageLinks): void {
  bind(endpoints.submitIssue, async ({ caller, body, request }) => {
    const header = request.headers['idempotency-key']?.toString()
    const submissionId = submissionIdOf(header, body.submissionId ?? null)
    const submitted = await issues.submit(caller, body, { submissionId, address: clientOf(request.ip) })
    const headers = {
      location: `/v1/issues/${submitted.record.id}`,
      ...(submitted.isReplayed && { 'idempotency-replayed': 'true' }),
    }
    return answer(submitted.kind === 'created' ? 201 : 200, submitted.record, headers)
  })

  bind(endpoints.createIssue, async ({ caller, params, body }) => {
    const { record, isReplayed } = await issues.create(caller, params.idOrSlug, body)
    const headers = {
      location: `/v1/issues/${record.id}`,
      ...(isReplayed && { 'idempotency-replayed': 'true' }),
    }
    return answer(201, record, { ...PRIVATE, ...headers })
  })

  bind(endpoints.listIssues, async ({ caller, query, request, watchClient }) => {
    const list = await issues.list(caller, query)
    if (hasCopy(request)) {
      const tag = await list.readTag()
      if (isKnown(request, tag)) return answerUnchanged(tag, PRIVATE)
    }
    const { page, tag } = await list.readPage(watchClient())
    return answer(200, page, { ...PRIVATE, etag: weak(tag), link: links.issues(page, request) })
  })

  bind(endpoints.countIssues, async ({ caller, query, watchClient }) =>
    answer(200, await issues.count(caller, query, watchClient()), PRIVATE),
  )

  bind(endpoints.retrieveIssue, async ({ caller, params, request }) => {
    const { issue, tag } = await issues.retrieve(caller, params.id)
    return answerTagged({ request, tag, body: issue, headers: PRIVATE })
  })

  bind(endpoints.retrieveIssueByNumber, async ({ caller, params, request }) => {
    const { issue, tag } = await issues.retrieveByNumber(caller, params.idOrSlug, params.issueNumber)
    return answerTagged({ request, tag, body: issue, headers: PRIVATE })
  })

  bind(endpoints.changeIssue, async ({ caller, params, body, request }) => {
    const { issue, tag } = await issues.change(
      caller,
      params.id,
      body,
      versionsIn(request.headers['if-match']),
    )
    return answer(200, issue, { ...PRIVATE, etag: `"${tag}"` })
  })

  bind(endpoints.deleteIssue, async ({ caller, params, request }) => {
    await issues.delete(caller, params.id, versionsIn(request.headers['if-match']))
    return answer(204, undefined)
  })

  bind(endpoints.markSpam, async ({ caller, params, body, request }) => {
    const versions = versionsIn(request.headers['if-match'])
    const { issue, tag } = await issues.markSpam(caller, params.id, body, versions)
    return answer(200, issue, { ...PRIVATE, etag: `"${tag}"` })
  })

  bind(endpoints.unmarkSpam, async ({ caller, params, request }) => {
    const { issue, tag } = await issues.unmarkSpam(caller, params.id, versionsIn(request.headers['if-match']))
    return answer(200, issue, { ...PRIVATE, etag: `"${tag}"` })
  })

  bind(endpoints.changeIssues, async ({ caller, body }) => {
    const { result, isReplayed } = await issues.changeSeveral(caller, body)
    return answer(200, result, { ...PRIVATE, ...(isReplayed && { 'idempotency-replayed': 'true' }) })
  })

  bind(endpoints.listIssueEvents, async ({ caller, params, query }) =>
    answer(200, await issues.listEvents(caller, params.id, query), PRIVATE),
  )
}
