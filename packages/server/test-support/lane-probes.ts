import {
  CATEGORIES,
  EVENT_TYPES,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  JOINT_SORTS,
  PRIORITIES,
} from '@bugle/contract'
import { declare, sha256Of } from './attachment-stage.ts'
import {
  HIDDEN_COMMENT_FILE,
  HIDDEN_FILE,
  HIDDEN_VALUES,
  HIDDEN_WORDS,
  REPORTER_SECRET,
} from './lane-story.ts'
import type { Asked, Place } from './lane-twins.ts'
import { SENTRY_PROBES } from './sentry-probes.ts'
import { SESSION_PROBES } from './session-probes.ts'
import type { Answer } from './start-app.ts'
import { type TeamWebhooks, WEBHOOK_PROBES } from './webhook-probes.ts'

/** The input of a probe: it sends requests that could leak something, and every response is compared. */
export interface Prober {
  readonly place: Place
  /** Distinguishes the data that different callers write. */
  readonly caller: string
  /** The ids to request: of visible, hidden and deleted issues, and of one that never existed. */
  readonly ids: readonly string[]
  /** The numbers of the same issues. Those of hidden issues never existed in the app without security issues. */
  readonly numbers: readonly number[]
  /** People whom issues are assigned to: one who sees the lane, and one who does not. */
  readonly people: { readonly sighted: string; readonly blind: string }
  /** The ids of files: of a visible one, of the hidden one, and of one that never existed. */
  readonly files: readonly string[]
  /** A shared view of security issues, in the app that has them. */
  readonly sharedView: string
  /** A fingerprint that a hidden issue has, for this caller alone. */
  readonly takenFingerprint: string
  ask(asked: Omit<Asked, 'key'>): Promise<Answer>
  /** Requests a stream, and listens until it sends an issue that is created in the meantime. */
  listen(asked: Omit<Asked, 'key'>): Promise<Answer>
  /** An issue of the open lane, created by another caller for this probe and delivered. */
  makeIssue(body: object): Promise<string>
  readonly webhooks: TeamWebhooks
  /** A permitted destination for webhooks. */
  readonly receiverUrl: string
  /** Waits until everything is delivered. */
  settle(): Promise<void>
}

export type Probe = (prober: Prober) => Promise<void>

/** The issues of the story that everyone may see, one of them deleted, and those that are hidden. */
export const VISIBLE = ['blank', 'successor', 'mistake', 'closed', 'advert']
export const HIDDEN = ['hole', 'moved', 'double', 'deleted', 'moved late', 'new', 'junk']

/** How the lane is checked for each endpoint. The test fails if an endpoint is missing here. */
export const PROBES: Readonly<Record<string, Probe>> = {
  async listIssues(prober) {
    const list = (query: string) =>
      prober.ask({ path: `/v1/issues?projectId=${prober.place.project.slug}${query}` })
    const { headers } = await prober.ask({ path: '/v1/issues' })
    await prober.ask({ path: '/v1/issues', headers: { 'if-none-match': headers.get('etag') ?? '*' } })
    for (const query of [...LIST_QUERIES, ...assigneeQueries(prober)]) await list(query)
    for (const sort of ISSUE_SORTS) {
      for (const filter of ['', '&status=open,resolved&priority=high,medium', '&q=re*'])
        await walk((cursor) => list(`${filter}&sort=${sort}&pageSize=2${cursor}`))
    }
    for (const sort of JOINT_SORTS) {
      for (const filter of ['', '&status=open&priority=high,medium', `&assignee=${prober.people.sighted}`])
        await walk((cursor) => prober.ask({ path: `/v1/issues?sort=${sort}${filter}&pageSize=2${cursor}` }))
    }
  },

  async countIssues({ ask, people, place: { project } }) {
    await ask({ path: '/v1/issues/counts' })
    for (const query of [...LIST_QUERIES, ...assigneeQueries({ people })])
      await ask({ path: `/v1/issues/counts?projectId=${project.slug}${query}` })
    for (const query of ['', '&q=re*', '&branch=main', '&priority=high,medium&platform=ios'])
      await ask({ path: `/v1/issues/counts?projectId=${project.slug}${query}` })
  },

  retrieveIssue: (prober) =>
    forEachId(prober, '', [
      {},
      { headers: { 'if-none-match': '*' } },
      { headers: { 'if-none-match': '"1.1.full", "1.1.public", "3.3.full", "3.3.public"' } },
    ]),

  async retrieveIssueByNumber({ ask, place: { project }, numbers }) {
    for (const name of [project.slug, project.id])
      for (const number of numbers) await ask({ path: `/v1/projects/${name}/issues/${number}` })
    for (const number of numbers)
      await ask({ path: `/v1/projects/${project.slug}/issues/${number}`, headers: { 'if-none-match': '*' } })
    for (const text of ['0', '-1', '1.0', '01', '9'.repeat(30), 'x'])
      await ask({ path: `/v1/projects/${project.slug}/issues/${text}` })
  },

  async listIssueEvents(prober) {
    await forEachId(prober, '/events?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      await walk((cursor) => prober.ask({ path: `/v1/issues/${id}/events?pageSize=2${cursor}` }))
  },

  async listIssueReports(prober) {
    await forEachId(prober, '/reports?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      for (const query of ['?pageSize=1', '?pageSize=1&distinct=true'])
        await walk((cursor) => prober.ask({ path: `/v1/issues/${id}/reports${query}${cursor}` }))
  },

  async listIssueComments(prober) {
    await forEachId(prober, '/comments?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      await walk((cursor) => prober.ask({ path: `/v1/issues/${id}/comments?pageSize=1${cursor}` }))
  },

  async createComment(prober) {
    const own = `by-${prober.caller.replaceAll(' ', '-')}`
    const text = 'Look, @Sighted and @Blind'
    for (const id of prober.ids)
      for (const body of [
        { commentId: own, text },
        { commentId: own, text },
        // Taken in a hidden issue, and in a visible one.
        { commentId: 'shared', text },
        { commentId: 'hidden', text: '' },
      ])
        await prober.ask({ method: 'POST', path: `/v1/issues/${id}/comments`, body })
    for (const id of prober.ids) await prober.ask({ path: `/v1/issues/${id}` })
    await prober.ask({ path: '/v1/events?type=comment.created,comment.deleted' })
  },

  listMyReports: (prober) => askAsReporters(prober, '', {}),
  listMyMessages: (prober) => forEachReport(prober, '/messages', {}),
  sendMyMessage: (prober) =>
    forEachReport(prober, '/messages', { method: 'POST', body: { messageId: 'probe', text: 'Mine?' } }),
  markMyReportRead: (prober) =>
    forEachReport(prober, '/read', { method: 'PUT', body: { messageId: 'shared' } }),
  blockReporter: (prober) => forEachFirstReport(prober, { method: 'PUT' }),
  unblockReporter: (prober) => forEachFirstReport(prober, { method: 'DELETE' }),

  changeComment: (prober) =>
    forEachComment(prober, 'changed', { method: 'PATCH', body: { text: 'Mine now, @Blind' } }),

  deleteComment: (prober) => forEachComment(prober, 'deleted', { method: 'DELETE' }),

  async uploadCommentAttachment({ ask, ids, caller }) {
    const own = `with-a-file-by-${caller.replaceAll(' ', '-')}`
    // The same bytes as the hidden files: the response must not reveal whether the project has them.
    const attachments = [declare(HIDDEN_FILE, 'a.txt'), declare(HIDDEN_COMMENT_FILE, 'b.txt')]
    for (const id of ids) {
      const body = { commentId: own, text: 'With files', attachments }
      await ask({ method: 'POST', path: `/v1/issues/${id}/comments`, body })
      const put = (commentId: string, bytes: string) =>
        ask({
          method: 'PUT',
          path: `/v1/issues/${id}/comments/${commentId}/attachments/${sha256Of(bytes)}`,
          body: bytes,
        })
      for (const bytes of [HIDDEN_FILE, HIDDEN_COMMENT_FILE, 'not declared']) await put(own, bytes)
      for (const commentId of ['shared', 'file', 'never-was']) await put(commentId, HIDDEN_COMMENT_FILE)
      await ask({ path: `/v1/issues/${id}/comments` })
      await ask({ path: `/v1/issues/${id}/attachments` })
      await ask({ path: `/v1/issues/${id}` })
    }
  },

  async listIssueAttachments(prober) {
    await forEachId(prober, '/attachments?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      await walk((cursor) => prober.ask({ path: `/v1/issues/${id}/attachments?pageSize=1${cursor}` }))
  },

  async downloadAttachment({ ask, files, ids }) {
    for (const id of [...files, ...ids]) {
      const path = `/v1/attachments/${id}`
      for (const headers of [{}, { 'if-none-match': '*' }, { range: 'bytes=0-3' }, { range: 'bytes=999-' }])
        await ask({ path, headers })
    }
  },

  async createIssue({ ask, caller, place: { project } }) {
    const own = `created-by-${caller.replaceAll(' ', '-')}`
    const path = `/v1/projects/${project.slug}/issues`
    for (const change of [{}, {}, { title: 'Other' }])
      await ask({ method: 'POST', path, body: { submissionId: own, title: 'Probe', ...change } })
  },

  async uploadIssueAttachment({ ask, caller, place: { project } }) {
    const own = `with-file-by-${caller.replaceAll(' ', '-')}`
    const put = (submissionId: string, bytes: string, sha256 = sha256Of(bytes)) =>
      ask({
        method: 'PUT',
        path: `/v1/projects/${project.slug}/submissions/${submissionId}/attachments/${sha256}`,
        body: bytes,
      })
    const body = { submissionId: own, title: 'Probe', attachments: [declare(HIDDEN_FILE, 'a.txt')] }
    await ask({ method: 'POST', path: `/v1/projects/${project.slug}/issues`, body })
    await put(own, 'x'.repeat(HIDDEN_FILE.length), sha256Of(HIDDEN_FILE))
    await put(own, HIDDEN_FILE)
    await put(own, HIDDEN_FILE)
    await put('never-was', HIDDEN_FILE)
  },

  async uploadAttachment({ ask, caller }) {
    const own = `probed-by-${caller.replaceAll(' ', '-')}`
    const put = (submissionId: string, bytes: string, sha256 = sha256Of(bytes)) =>
      ask({ method: 'PUT', path: `/v1/submissions/${submissionId}/attachments/${sha256}`, body: bytes })
    // The same bytes as the hidden file: the response must not reveal whether the project has them.
    const attachments = [declare(HIDDEN_FILE, 'a.txt'), declare('shared by nobody', 'b.txt')]
    const body = { title: 'Probe', submissionId: own, attachments }
    await ask({ method: 'POST', path: '/v1/issues', body })
    await put(own, 'x'.repeat(HIDDEN_FILE.length), sha256Of(HIDDEN_FILE))
    await put(own, HIDDEN_FILE)
    await put(own, HIDDEN_FILE)
    await put(own, 'shared by nobody')
    for (const submissionId of ['hidden-1', 'open-1', 'never-was'])
      await put(submissionId, `not declared by ${submissionId}`)
    await put('never-was', HIDDEN_FILE)
  },

  async listEvents(prober) {
    const { ask, listen, place } = prober
    const path = `/v1/events?projectId=${place.project.slug}`
    await ask({ path: '/v1/events' })
    for (const type of EVENT_TYPES) await ask({ path: `${path}&type=${type}` })
    for (const id of ['0', '20.open', '9999.open'])
      await listen({ path, headers: { accept: 'text/event-stream', 'last-event-id': id } })
    // A reset reveals where the log ends.
    for (let after = 0; after < 60; after += 3) await ask({ path: `${path}&limit=1&after=${after}` })
    for (const limit of [1, 3]) {
      let after: number | undefined = 0
      while (after !== undefined) {
        const { body }: Answer = await ask({ path: `${path}&limit=${limit}&after=${after}` })
        after = body.hasMore ? body.nextAfter : undefined
      }
    }
  },

  async listProjects({ ask }) {
    await ask({ path: '/v1/projects' })
    await walk((cursor) => ask({ path: `/v1/projects?pageSize=1${cursor}` }))
  },

  async getProject({ ask, place: { project } }) {
    const { headers } = await ask({ path: `/v1/projects/${project.slug}` })
    await ask({ path: `/v1/projects/${project.id}` })
    await ask({
      path: `/v1/projects/${project.slug}`,
      headers: { 'if-none-match': headers.get('etag') ?? '*' },
    })
  },

  async listProjectKeys({ ask, place }) {
    await ask({ path: `/v1/projects/${place.project.slug}/keys` })
  },

  async getProjectStats({ ask, place }) {
    for (const query of [
      '',
      '?days=1',
      '?days=7',
      '?days=365',
      '?days=0',
      '?createdWithinDays=7',
      '?createdWithinDays=365',
      '?from=2026-11-01T00:00:00Z&to=2026-11-11T00:00:00Z',
      '?from=2026-11-10T11:00:00Z',
    ])
      await ask({ path: `/v1/projects/${place.project.slug}/stats${query}` })
  },

  async getVersionStats({ ask, place: { project } }) {
    for (const query of ['', '?days=1', '?days=90', '?days=0'])
      await ask({ path: `/v1/projects/${project.slug}/stats/versions${query}` })
  },

  async listLabels({ ask, place: { project } }) {
    for (const name of [project.slug, project.id]) await ask({ path: `/v1/projects/${name}/labels` })
  },

  async listPeople({ ask, place: { project } }) {
    await walk((cursor) => ask({ path: `/v1/projects/${project.slug}/people?pageSize=1${cursor}` }))
    for (const query of ['', '?forSecurity=true', '?forSecurity=false', '?cursor=WyJ4IiwxXQ'])
      await ask({ path: `/v1/projects/${project.id}/people${query}` })
  },

  async listVersions({ ask, place: { project } }) {
    await walk((cursor) => ask({ path: `/v1/projects/${project.slug}/versions?pageSize=1${cursor}` }))
    for (const query of ['', '?q=2.4', '?q=9.9', '?cursor=WyJ4IiwxXQ'])
      await ask({ path: `/v1/projects/${project.id}/versions${query}` })
  },

  async listBranches({ ask, place: { project } }) {
    await walk((cursor) => ask({ path: `/v1/projects/${project.slug}/branches?pageSize=1${cursor}` }))
    for (const query of ['', '?q=main', '?q=hole', '?cursor=WyJ4IiwxXQ'])
      await ask({ path: `/v1/projects/${project.id}/branches${query}` })
  },

  async getSdkConfig({ ask }) {
    const { headers } = await ask({ path: '/v1/sdk-config' })
    await ask({ path: '/v1/sdk-config', headers: { 'if-none-match': headers.get('etag') ?? '*' } })
  },

  async checkHealth({ ask }) {
    await ask({ path: '/healthz' })
  },

  async checkReadiness({ ask }) {
    await ask({ path: '/readyz' })
  },

  // Only the operator sees the metrics, which are for the whole server.
  async readMetrics({ ask }) {
    await ask({ path: '/metrics' })
  },

  async searchKnownIssues({ ask }) {
    const search = (body: object) => ask({ method: 'POST', path: '/v1/known-issues/search', body })
    for (const title of ['Blank until it is turned', 'Okapi in the log', 'blank', ...HIDDEN_WORDS])
      await search({ title, appVersion: '2.4.1' })
    await search({ title: '' })
    await search({ title: 'zebra', appVersion: 9 })
  },

  async submitIssue({ ask, caller, place, ids }) {
    const submit = (body: object, headers = {}) =>
      ask({ method: 'POST', path: '/v1/issues', body: { title: 'Probe', ...body }, headers })
    for (const fingerprint of ['shared', 'moved', 'deleted', 'double']) {
      await submit({ fingerprint })
      await submit({ fingerprint, category: 'crash', ...HIDDEN_VALUES })
    }
    for (const knownIssueId of ids) {
      await submit({ knownIssueId })
      await submit({ knownIssueId, fingerprint: 'shared', category: 'security' })
    }
    await submit({ category: 'security' })
    await submit({ category: 'security', fingerprint: `probed by ${caller}` })
    await submit({ submissionId: `probed by ${caller}` })
    await submit({ submissionId: `probed by ${caller}`, category: 'security' })
    await submit({ category: 'secret' })
    await ask({
      method: 'POST',
      path: '/v1/issues',
      body: JSON.stringify({ title: 'Zebra', publicKey: place.publicKey }),
      headers: { 'content-type': 'text/plain' },
    })
  },

  async changeIssue(prober) {
    await forEachId(
      prober,
      '',
      CHANGES.map((change) => ({ method: 'PATCH', ...change })),
    )
    for (const assigneeId of Object.values(prober.people)) {
      const path = `/v1/issues/${await prober.makeIssue({ category: 'crash' })}`
      await prober.ask({ method: 'PATCH', path, body: { assigneeId } })
      await prober.ask({ method: 'PATCH', path, body: { category: 'security', assigneeId } })
    }
    for (const body of [{ fingerprint: prober.takenFingerprint }, { category: 'crash' }]) {
      const path = `/v1/issues/${await prober.makeIssue(body)}`
      await prober.ask({ method: 'PATCH', path, body: { category: 'security', note: 'Out of my sight' } })
      await prober.ask({ path })
      await prober.ask({ method: 'PATCH', path, body: { category: 'bug' } })
    }
  },

  async markSpam(prober) {
    const fingerprint = `spam of ${prober.caller}`
    const own = await prober.makeIssue({ fingerprint })
    for (const id of [own, ...prober.ids.slice(VISIBLE.length)])
      for (const body of [{}, { blockSender: true }])
        await prober.ask({ method: 'POST', path: `/v1/issues/${id}/spam`, body })
    const project = prober.place.project.slug
    for (const path of ['/v1/issues', '/v1/issues/counts'])
      await prober.ask({ path: `${path}?projectId=${project}&spam=true` })
    await prober.ask({ path: `/v1/issues/${own}` })
    await prober.ask({ method: 'DELETE', path: `/v1/issues/${own}/spam` })
  },

  async unmarkSpam(prober) {
    for (const id of prober.ids) await prober.ask({ method: 'DELETE', path: `/v1/issues/${id}/spam` })
  },

  async changeIssues(prober) {
    const { ask, ids, place, people, caller } = prober
    let count = 0
    const change = (body: object, bulkId = `${caller.replaceAll(' ', '-')}-${++count}`) =>
      ask({
        method: 'POST',
        path: '/v1/issues/bulk',
        body: {
          bulkId,
          projectId: place.project.slug,
          action: 'change',
          patch: { priority: 'low' },
          ...body,
        },
      })
    const own = [await prober.makeIssue({}), await prober.makeIssue({})]
    for (const id of ids)
      for (const version of [1, 2, 3, 4])
        await change({
          issues: [
            { id: own[0], version: 1 },
            { id, version },
          ],
          action: 'delete',
          patch: undefined,
        })
    const selected = own.map((id) => ({ id, version: 1 }))
    for (const bulkId of ['repeated', 'repeated']) await change({ issues: selected }, bulkId)
    for (const assigneeId of [...Object.values(people), NO_PERSON])
      await change({ issues: selected.map(({ id }) => ({ id, version: 2 })), patch: { assigneeId } })
    for (const filter of [{}, { category: ['security'] }, { q: 'zebra*' }, { assignee: [people.sighted] }])
      for (const matching of [1, 2, 1_000])
        await change({ filter, count: matching, patch: { status: 'open' } })
    await change({ filter: {}, count: 1_000, action: 'delete', patch: undefined })
    for (const id of [...own, ...ids]) await ask({ path: `/v1/issues/${id}` })
  },

  async mergeIssue(prober) {
    const { ask, ids } = prober
    const own = await prober.makeIssue({})
    const merge = (id: string, into: string) =>
      ask({ method: 'POST', path: `/v1/issues/${id}/merge`, body: { into } })
    for (const into of [...ids, own, NO_ISSUE, 'x']) {
      await merge(own, into)
      await ask({ path: `/v1/issues/${own}` })
      await ask({ path: `/v1/issues/${into}` })
      await ask({ method: 'POST', path: `/v1/issues/${own}/unmerge` })
    }
    for (const id of ids.slice(VISIBLE.length)) await merge(id, own)
    await ask({ path: `/v1/issues/${own}/events` })
    await ask({ path: '/v1/events?type=issue.updated,issue.status_changed' })
  },

  async unmergeIssue(prober) {
    await forEachId(prober, '/unmerge', [{ method: 'POST' }])
    await forEachId(prober, '', [{}])
  },

  async listDuplicates(prober) {
    await forEachId(prober, '/duplicates?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      await walk((cursor) => prober.ask({ path: `/v1/issues/${id}/duplicates?pageSize=1${cursor}` }))
  },

  ...WEBHOOK_PROBES,
  ...SESSION_PROBES,
  ...SENTRY_PROBES,

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

  async deleteIssue(prober) {
    const id = await prober.makeIssue({ fingerprint: `deleted by ${prober.caller}` })
    // The visible issues are still needed, so an issue is created to be deleted.
    for (const one of [id, ...prober.ids.slice(VISIBLE.length)]) {
      await prober.ask({ method: 'DELETE', path: `/v1/issues/${one}` })
      await prober.ask({ method: 'DELETE', path: `/v1/issues/${one}`, headers: { 'if-match': '"1"' } })
    }
  },
}

/** Comments of others and of the caller, in visible and in hidden issues. */
async function forEachComment(
  { ask, ids, caller }: Prober,
  what: string,
  asked: Omit<Asked, 'path'>,
): Promise<void> {
  const own = `${what}-by-${caller.replaceAll(' ', '-')}`
  for (const id of ids) {
    await ask({ method: 'POST', path: `/v1/issues/${id}/comments`, body: { commentId: own, text: 'Mine' } })
    for (const commentId of [own, own, 'shared', 'hidden', 'never-was'])
      await ask({ ...asked, path: `/v1/issues/${id}/comments/${commentId}` })
    await ask({ path: `/v1/issues/${id}/events?pageSize=100` })
  }
}

/** The first report has the id of its issue, with another prefix. */
function firstReportOf(issueId: string): string {
  return issueId.replace('iss_', 'rep_')
}

function assigneeQueries({ people: { sighted, blind } }: Pick<Prober, 'people'>): readonly string[] {
  return [
    `&assignee=${sighted}`,
    `&assignee=${blind}&sort=updated`,
    `&assignee=${sighted},${blind}&status=open,in_progress,wontfix`,
    `&assignee=${blind},none&sort=reports`,
    `&assignee=${sighted}&q=zebra*`,
  ]
}

const NO_PERSON = 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx'
const NO_ISSUE = 'iss_7zzzzzzzzzzzzzzzzzzzzzzzzz'

const LIST_QUERIES = [
  '',
  '&pageSize=100',
  '&page=2&pageSize=3',
  '&page=9',
  '&page=200&pageSize=100',
  // A position that no issue has, in either app.
  '&cursor=WyJ4Iiw5OTk5LDk5OTld',
  ...ISSUE_STATUSES.map((status) => `&status=${status}`),
  ...CATEGORIES.map((category) => `&category=${category}`),
  `&category=${CATEGORIES.join(',')}`,
  '&category=security,bug',
  '&category=security&status=open',
  '&category=security&q=zebra*',
  ...PRIORITIES.map((priority) => `&priority=${priority}`),
  ...Object.entries(HIDDEN_VALUES).map(([name, value]) => `&${name}=${value}`),
  '&platform=ios,secretos',
  '&appVersion=2.4.1,9.9.9&sort=reports',
  '&createdAfter=2026-11-10T00:00:00Z',
  '&osVersion=iOS 26.1,HoleOS&deviceModel=iPhone 17',
  '&buildNumber=999,512',
  '&fingerprint=shared,moved,double',
  `&assignee=${NO_PERSON}`,
  '&label=shared',
  '&label=secret&sort=reports',
  '&label=shared,secret,nowhere&status=open,resolved',
  '&label=Shared&q=zebra*',
  '&reporter=ada',
  '&reporter=okapi@example.com&sort=updated',
  '&reporter=ada,bob,zoe,okapi@example.com&status=open,resolved',
  '&reporter=ada&q=zebra*',
  '&assignee=none',
  '&assignee=me',
  '&assignee=me,none&sort=updated',
  '&onDefaultBranch=true',
  '&onDefaultBranch=false&sort=reports',
  '&updatedAfter=2026-11-10T12:00:00Z',
  '&updatedBefore=2026-11-10T12:00:00Z&sort=updated',
  '&createdBefore=2026-11-10T12:00:00Z&category=bug,security',
  ...HIDDEN_WORDS.flatMap((word) => [`&q=${word}`, `&q=${word.slice(0, 3)}*&sort=updated`]),
  '&q="zebra+hole"',
  '&q=%EE%80%80',
  '&q=blank',
  '&q=report&status=open',
  '&q=nothing*+drawn&platform=ios',
  ...ISSUE_SORTS.map((sort) => `&sort=${sort}`),
]

export const CHANGES: readonly Pick<Asked, 'body' | 'headers'>[] = [
  { body: {} },
  { body: { note: 'Who are you?' } },
  { body: { status: 'open' } },
  { body: { status: 'resolved' } },
  { body: { status: 'closed' }, headers: { 'if-match': '"1.1.full"' } },
  { body: { priority: 'low' }, headers: { 'if-match': '"99"' } },
  { body: { category: 'bug' }, headers: { 'if-match': '*' } },
  { body: { title: 'Mine', description: null, fixedIn: { appVersion: '1' } } },
  { body: { known: { text: 'No title' } } },
  { body: { known: { title: 'Known to all', text: 'Wait.' } } },
  { body: { known: null } },
  { body: { labels: ['shared', 'nowhere'] } },
  { body: { labels: ['Shared'] } },
  { body: { labels: [] } },
  { body: { assigneeId: null } },
  { body: { assigneeId: NO_PERSON } },
  { body: { status: 'lost', category: 'zebra' } },
  { body: 'no JSON' },
]

async function forEachId(prober: Prober, rest: string, asked: readonly Omit<Asked, 'path'>[]): Promise<void> {
  for (const id of prober.ids)
    for (const one of asked) await prober.ask({ ...one, path: `/v1/issues/${id}${rest}` })
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

/** Follows cursors to the end. */
async function walk(ask: (cursor: string) => Promise<Answer>): Promise<void> {
  let next: string | null | undefined = ''
  while (next !== null && next !== undefined) {
    const answer = await ask(next && `&cursor=${next}`)
    next = answer.body?.pagination?.nextCursor
  }
}
