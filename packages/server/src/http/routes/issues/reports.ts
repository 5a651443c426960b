import { endpoints } from '@bugle/contract'
import type { Reports } from '../../../domain/issues/reports.ts'
import { answer, type Bind } from '../../route.ts'

/** Responses depend on the caller and must not be cached. */
const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

export function bindReports(bind: Bind, reports: Reports): void {
  bind(endpoints.listIssueReports, async ({ caller, params, query }) =>
    answer(200, await reports.listReports(caller, params.id, query), PRIVATE),
  )

  bind(endpoints.deleteReport, async ({ caller, params }) => {
    await reports.deleteReport(caller, params.id, params.reportId)
    return answer(204, undefined)
  })

  bind(endpoints.blockReporter, async ({ caller, params }) => {
    await reports.blockReporter(caller, params.id, params.reportId)
    return answer(204, undefined)
  })

  bind(endpoints.unblockReporter, async ({ caller, params }) => {
    await reports.unblockReporter(caller, params.id, params.reportId)
    return answer(204, undefined)
  })

  bind(endpoints.redactReport, async ({ caller, params }) =>
    answer(200, await reports.redactReport(caller, params.id, params.reportId), PRIVATE),
  )
}
