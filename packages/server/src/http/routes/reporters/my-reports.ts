import { endpoints, REPORTER_HEADER } from '@bugle/contract'
import type { FastifyRequest } from 'fastify'
import type { MyReports } from '../../../domain/reporters/my-reports.ts'
import type { PollTags } from '../../../domain/reporters/poll-tags.ts'
import { answerTagged, isKnown, tagOfContent } from '../../answers/conditional.ts'
import { answer, type Bind } from '../../route.ts'

/** What reporters see is theirs alone, and must not be stored by a browser or a proxy. */
const PRIVATE = { vary: `Authorization, ${REPORTER_HEADER}`, 'cache-control': 'no-store' }

export function bindMyReports(bind: Bind, myReports: MyReports, pollTags: PollTags): void {
  bind(endpoints.listMyReports, async ({ caller, request }) => {
    const reporter = await myReports.requireReporter(caller, secretIn(request))
    const known = await pollTags.find(reporter)
    if (known !== undefined && isKnown(request, known))
      return { status: 304, headers: { ...PRIVATE, etag: `"${known}"` } } as const
    const reading = await pollTags.begin(reporter)
    const { list: body, basis } = await myReports.listReports(reporter)
    const tag = tagOfContent(body)
    reading.keep(tag, basis)
    return answerTagged({ request, tag, body, headers: PRIVATE })
  })

  bind(endpoints.listMyMessages, async ({ caller, params, request }) => {
    const reporter = await myReports.requireReporter(caller, secretIn(request))
    const body = await myReports.listMessages(reporter, params.reportId)
    return answerTagged({ request, tag: tagOfContent(body), body, headers: PRIVATE })
  })

  bind(endpoints.sendMyMessage, async ({ caller, params, body, request }) => {
    const reporter = await myReports.requireReporter(caller, secretIn(request))
    const { message, isReplayed } = await myReports.sendMessage(reporter, params.reportId, body)
    return answer(201, message, { ...PRIVATE, ...(isReplayed && { 'idempotency-replayed': 'true' }) })
  })

  bind(endpoints.markMyReportRead, async ({ caller, params, body, request }) => {
    const reporter = await myReports.requireReporter(caller, secretIn(request))
    await myReports.markRead(reporter, params.reportId, body.messageId)
    return answer(204, undefined, PRIVATE)
  })
}

const HEADER = REPORTER_HEADER.toLowerCase()

function secretIn({ headers }: FastifyRequest): string | undefined {
  const secret = headers[HEADER]
  return typeof secret === 'string' ? secret : undefined
}
