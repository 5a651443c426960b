import { HIDDEN_VALUES } from '../story.ts'
import type { Asked } from '../twins.ts'
import { followCursors, forEachId, NO_ISSUE, NO_PERSON, type Probe, VISIBLE } from './prober.ts'

/** How the lane is checked for single issues: reading, submitting, changing and deleting them. */
export const ISSUE_PROBES: Readonly<Record<string, Probe>> = {
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
      await followCursors((cursor) => prober.ask({ path: `/v1/issues/${id}/events?pageSize=2${cursor}` }))
  },

  async createIssue({ ask, caller, place: { project } }) {
    const own = `created-by-${caller.replaceAll(' ', '-')}`
    const path = `/v1/projects/${project.slug}/issues`
    for (const change of [{}, {}, { title: 'Other' }])
      await ask({ method: 'POST', path, body: { submissionId: own, title: 'Probe', ...change } })
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
      await followCursors((cursor) => prober.ask({ path: `/v1/issues/${id}/duplicates?pageSize=1${cursor}` }))
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
