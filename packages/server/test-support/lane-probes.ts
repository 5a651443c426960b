import { CATEGORIES, EVENT_TYPES, ISSUE_SORTS, ISSUE_STATUSES, PRIORITIES } from '@bugle/contract'
import { HIDDEN_VALUES, HIDDEN_WORDS } from './lane-story.ts'
import type { Asked, Place } from './lane-twins.ts'
import { SESSION_PROBES } from './session-probes.ts'
import type { Answer } from './start-app.ts'
import { type TeamWebhooks, WEBHOOK_PROBES } from './webhook-probes.ts'

/** What a probe is given: it asks whatever could show a trace, and every answer is compared. */
export interface Prober {
  readonly place: Place
  /** Tells apart what different callers write. */
  readonly caller: string
  /** The ids to ask for: of visible issues, of hidden and deleted ones, and of one that never was. */
  readonly ids: readonly string[]
  /** The numbers of the same issues. Those of hidden ones never were in the app that hides nothing. */
  readonly numbers: readonly number[]
  /** A fingerprint that a hidden issue has, for this caller alone. */
  readonly takenFingerprint: string
  ask(asked: Omit<Asked, 'key'>): Promise<Answer>
  /** Asks for a stream, and listens until it tells of an issue that is made meanwhile. */
  listen(asked: Omit<Asked, 'key'>): Promise<Answer>
  /** An issue of the open lane, made by somebody else for this probe. */
  makeIssue(body: object): Promise<string>
  readonly webhooks: TeamWebhooks
  /** Where webhooks may go. */
  readonly receiverUrl: string
  /** Waits until everything is delivered. */
  settle(): Promise<void>
}

export type Probe = (prober: Prober) => Promise<void>

/** The issues of the story that everyone may see, one of them deleted, and of those that nobody may. */
export const VISIBLE = ['blank', 'successor', 'mistake', 'closed']
export const HIDDEN = ['hole', 'moved', 'double', 'deleted', 'moved late', 'new']

/** How the lane is checked for each endpoint. One that is missing here fails the test. */
export const PROBES: Readonly<Record<string, Probe>> = {
  async listIssues(prober) {
    const list = (query: string) =>
      prober.ask({ path: `/v1/issues?projectId=${prober.place.project.slug}${query}` })
    const { headers } = await prober.ask({ path: '/v1/issues' })
    await prober.ask({ path: '/v1/issues', headers: { 'if-none-match': headers.get('etag') ?? '*' } })
    for (const query of LIST_QUERIES) await list(query)
    for (const sort of ISSUE_SORTS) {
      for (const filter of ['', '&status=open,resolved&priority=high,medium', '&q=re*'])
        await walk((cursor) => list(`${filter}&sort=${sort}&pageSize=2${cursor}`))
    }
  },

  async countIssues({ ask, place: { project } }) {
    await ask({ path: '/v1/issues/counts' })
    for (const query of LIST_QUERIES)
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
      await walk((cursor) => prober.ask({ path: `/v1/issues/${id}/reports?pageSize=1${cursor}` }))
  },

  async listEvents(prober) {
    const { ask, listen, place } = prober
    const path = `/v1/events?projectId=${place.project.slug}`
    await ask({ path: '/v1/events' })
    for (const type of EVENT_TYPES) await ask({ path: `${path}&type=${type}` })
    for (const id of ['0', '20.open', '9999.open'])
      await listen({ path, headers: { accept: 'text/event-stream', 'last-event-id': id } })
    // Where the log ends shows by what is reset.
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
    ])
      await ask({ path: `/v1/projects/${place.project.slug}/stats${query}` })
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

  // Only the operator sees the figures, which are those of the whole server.
  async readMetrics({ ask }) {
    await ask({ path: '/metrics' })
  },

  async submitIssue({ ask, caller, place }) {
    const submit = (body: object, headers = {}) =>
      ask({ method: 'POST', path: '/v1/issues', body: { title: 'Probe', ...body }, headers })
    for (const fingerprint of ['shared', 'moved', 'deleted', 'double']) {
      await submit({ fingerprint })
      await submit({ fingerprint, category: 'crash', ...HIDDEN_VALUES })
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
    for (const body of [{ fingerprint: prober.takenFingerprint }, { category: 'crash' }]) {
      const path = `/v1/issues/${await prober.makeIssue(body)}`
      await prober.ask({ method: 'PATCH', path, body: { category: 'security', note: 'Out of my sight' } })
      await prober.ask({ path })
      await prober.ask({ method: 'PATCH', path, body: { category: 'bug' } })
    }
  },

  ...WEBHOOK_PROBES,
  ...SESSION_PROBES,

  async deleteIssue(prober) {
    const id = await prober.makeIssue({ fingerprint: `deleted by ${prober.caller}` })
    // The visible ones are needed further; what is deleted for good was made for it.
    for (const one of [id, ...prober.ids.slice(VISIBLE.length)]) {
      await prober.ask({ method: 'DELETE', path: `/v1/issues/${one}` })
      await prober.ask({ method: 'DELETE', path: `/v1/issues/${one}`, headers: { 'if-match': '"1"' } })
    }
  },
}

const LIST_QUERIES = [
  '',
  '&pageSize=100',
  '&page=2&pageSize=3',
  '&page=9',
  '&page=200&pageSize=100',
  // Of a place that no issue has, in either app.
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
  { body: { status: 'lost', category: 'zebra' } },
  { body: 'no JSON' },
]

async function forEachId(prober: Prober, rest: string, asked: readonly Omit<Asked, 'path'>[]): Promise<void> {
  for (const id of prober.ids)
    for (const one of asked) await prober.ask({ ...one, path: `/v1/issues/${id}${rest}` })
}

/** Follows cursors to the end. */
async function walk(ask: (cursor: string) => Promise<Answer>): Promise<void> {
  let next: string | null | undefined = ''
  while (next !== null && next !== undefined) {
    const answer = await ask(next && `&cursor=${next}`)
    next = answer.body?.pagination?.nextCursor
  }
}
