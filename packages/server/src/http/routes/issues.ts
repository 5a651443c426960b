import {
  endpoints,
  type IssuePage,
  MAX_PAGED_ROWS,
  MAX_SUBMISSION_ID_CHARS,
  SUBMISSION_ID_PATTERN,
} from '@bugle/contract'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'
import type { Issues } from '../../domain/issues.ts'
import { answerTagged } from '../conditional.ts'
import { answer, type Bind } from '../route.ts'

const VARIES = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

export function bindIssues(bind: Bind, issues: Issues): void {
  bind(endpoints.submitIssue, async ({ caller, body, request }) => {
    const submitted = await issues.submit(caller, body, submissionIdOf(request, body.submissionId ?? null))
    const headers = {
      location: `/v1/issues/${submitted.record.id}`,
      ...(submitted.isReplayed && { 'idempotency-replayed': 'true' }),
    }
    return submitted.kind === 'created'
      ? answer(201, submitted.record, headers)
      : answer(200, submitted.record, headers)
  })

  bind(endpoints.listIssues, async ({ caller, query, request }) => {
    const page = await issues.list(caller, query)
    return answer(200, page, { ...VARIES, link: linksOf(page, request) })
  })

  bind(endpoints.retrieveIssue, async ({ caller, params, request }) => {
    const { issue, tag } = await issues.retrieve(caller, params.id)
    return answerTagged({ request, tag, body: issue, headers: VARIES })
  })
}

const SUBMISSION_ID = new RegExp(SUBMISSION_ID_PATTERN)

/** The member and the header name the same thing; given both, they must agree. */
function submissionIdOf(request: FastifyRequest, member: string | null): string | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return member
  const id = /^"(.*)"$/.exec(String(header))?.[1] ?? String(header)
  if (!SUBMISSION_ID.test(id) || id.length > MAX_SUBMISSION_ID_CHARS) {
    const detail = `Idempotency-Key must have 1 to ${MAX_SUBMISSION_ID_CHARS} visible ASCII characters.`
    throw new DomainError('invalid-parameter', {
      detail,
      faults: [{ header: 'Idempotency-Key', code: 'format', detail }],
    })
  }
  if (member !== null && member !== id) {
    const detail = 'submissionId must be the same as the header Idempotency-Key, or one of them left out.'
    throw new DomainError('validation-failed', {
      detail,
      faults: [{ pointer: '#/submissionId', code: 'conflict', detail }],
    })
  }
  return id
}

/** RFC 8288. `next` leads by the cursor, so that whoever follows links never drifts. */
function linksOf({ pagination }: IssuePage, request: FastifyRequest): string {
  const { page, pageSize, nextCursor, totalCount } = pagination
  const filters = new URLSearchParams(request.url.split('?')[1] ?? '')
  filters.delete('page')
  filters.delete('cursor')
  const links: [rel: string, parameter: string, value: string | number][] = [['first', 'page', 1]]
  if (page !== null && page > 1) links.push(['prev', 'page', page - 1])
  if (nextCursor !== null) links.push(['next', 'cursor', nextCursor])
  const lastPage = totalCount === null ? 0 : Math.max(1, Math.ceil(totalCount / pageSize))
  if (page !== null && lastPage > 0 && lastPage * pageSize <= MAX_PAGED_ROWS)
    links.push(['last', 'page', lastPage])
  return links
    .map(
      ([rel, parameter, value]) => `</v1/issues?${withParameter(filters, parameter, value)}>; rel="${rel}"`,
    )
    .join(', ')
}

function withParameter(filters: URLSearchParams, parameter: string, value: string | number): string {
  const query = new URLSearchParams(filters)
  query.set(parameter, String(value))
  return query.toString()
}
