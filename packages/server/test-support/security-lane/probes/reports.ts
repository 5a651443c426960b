import { HIDDEN_WORDS, REPORTER_SECRET } from '../story.ts'
import type { Asked } from '../twins.ts'
import { firstReportOf, followCursors, forEachId, type Probe, type Prober, VISIBLE } from './prober.ts'

/** How the lane is checked for reports, and for what reporters see. */
export const REPORT_PROBES: Readonly<Record<string, Probe>> = {
  async listIssueReports(prober) {
    await forEachId(prober, '/reports?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      for (const query of ['?pageSize=1', '?pageSize=1&distinct=true'])
        await followCursors((cursor) => prober.ask({ path: `/v1/issues/${id}/reports${query}${cursor}` }))
  },

  async deleteReport(prober) {
    const fingerprint = `reports deleted by ${prober.caller}`
    const id = await prober.makeIssue({ fingerprint })
    for (const one of [id, ...prober.ids.slice(VISIBLE.length)])
      for (const reportId of [firstReportOf(one), 'rep_0', 'rep_7zzzzzzzzzzzzzzzzzzzzzzzzz'])
        await prober.ask({ method: 'DELETE', path: `/v1/issues/${one}/reports/${reportId}` })
    // A report of a hidden issue is not found in a visible one.
    for (const one of prober.ids)
      await prober.ask({ method: 'DELETE', path: `/v1/issues/${id}/reports/${firstReportOf(one)}` })
  },

  async redactReport(prober) {
    const id = await prober.makeIssue({ fingerprint: `redacted by ${prober.caller}` })
    for (const one of [id, ...prober.ids.slice(VISIBLE.length)])
      await prober.ask({ method: 'POST', path: `/v1/issues/${one}/reports/${firstReportOf(one)}/redact` })
    for (const one of prober.ids)
      await prober.ask({ method: 'POST', path: `/v1/issues/${id}/reports/${firstReportOf(one)}/redact` })
  },

  listMyReports: (prober) => askAsReporters(prober, '', {}),
  listMyMessages: (prober) => forEachReport(prober, '/messages', {}),
  sendMyMessage: (prober) =>
    forEachReport(prober, '/messages', { method: 'POST', body: { messageId: 'probe', text: 'Mine?' } }),
  markMyReportRead: (prober) =>
    forEachReport(prober, '/read', { method: 'PUT', body: { messageId: 'shared' } }),
  blockReporter: (prober) => forEachFirstReport(prober, { method: 'PUT' }),
  unblockReporter: (prober) => forEachFirstReport(prober, { method: 'DELETE' }),

  async searchKnownIssues({ ask }) {
    const search = (body: object) => ask({ method: 'POST', path: '/v1/known-issues/search', body })
    for (const title of ['Blank until it is turned', 'Okapi in the log', 'blank', ...HIDDEN_WORDS])
      await search({ title, appVersion: '2.4.1' })
    await search({ title: '' })
    await search({ title: 'zebra', appVersion: 9 })
  },
}

/** Requests of reporters: with a secret, with another one, and without one. */
async function askAsReporters({ ask }: Prober, rest: string, asked: Omit<Asked, 'path'>): Promise<void> {
  for (const headers of [{ 'bugle-reporter': REPORTER_SECRET }, { 'bugle-reporter': 'x' }, {}])
    await ask({ ...asked, path: `/v1/my/reports${rest}`, headers })
}

async function forEachReport(prober: Prober, rest: string, asked: Omit<Asked, 'path'>): Promise<void> {
  for (const id of prober.ids) await askAsReporters(prober, `/${id.replace('iss_', 'rep_')}${rest}`, asked)
}

async function forEachFirstReport({ ask, ids }: Prober, asked: Omit<Asked, 'path'>): Promise<void> {
  for (const id of ids)
    await ask({ ...asked, path: `/v1/issues/${id}/reports/${id.replace('iss_', 'rep_')}/block` })
}
