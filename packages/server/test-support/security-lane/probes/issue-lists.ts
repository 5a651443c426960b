import { CATEGORIES, ISSUE_SORTS, ISSUE_STATUSES, JOINT_SORTS, PRIORITIES } from '@bugle/contract'
import { HIDDEN_VALUES, HIDDEN_WORDS } from '../story.ts'
import { followCursors, NO_PERSON, type Probe, type Prober } from './prober.ts'

/** How the lane is checked for lists and counts of issues. */
export const LIST_PROBES: Readonly<Record<string, Probe>> = {
  async listIssues(prober) {
    const list = (query: string) =>
      prober.ask({ path: `/v1/issues?projectId=${prober.place.project.slug}${query}` })
    const { headers } = await prober.ask({ path: '/v1/issues' })
    await prober.ask({ path: '/v1/issues', headers: { 'if-none-match': headers.get('etag') ?? '*' } })
    for (const query of [...LIST_QUERIES, ...assigneeQueries(prober)]) await list(query)
    for (const sort of ISSUE_SORTS) {
      for (const filter of ['', '&status=open,resolved&priority=high,medium', '&q=re*'])
        await followCursors((cursor) => list(`${filter}&sort=${sort}&pageSize=${prober.pageSize}${cursor}`))
    }
    for (const sort of JOINT_SORTS) {
      for (const filter of ['', '&status=open&priority=high,medium', `&assignee=${prober.people.sighted}`])
        await followCursors((cursor) =>
          prober.ask({ path: `/v1/issues?sort=${sort}${filter}&pageSize=${prober.pageSize}${cursor}` }),
        )
    }
  },

  async countIssues({ ask, people, place: { project } }) {
    await ask({ path: '/v1/issues/counts' })
    for (const query of [...LIST_QUERIES, ...assigneeQueries({ people })])
      await ask({ path: `/v1/issues/counts?projectId=${project.slug}${query}` })
    for (const query of ['', '&q=re*', '&branch=main', '&priority=high,medium&platform=ios'])
      await ask({ path: `/v1/issues/counts?projectId=${project.slug}${query}` })
  },
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
