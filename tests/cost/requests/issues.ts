import {
  MAX_BULK_ISSUES,
  MAX_CONTEXT_FIELDS,
  MAX_CONTEXT_STRING_CHARS,
  MAX_FILTER_VALUES,
} from '@bugle/contract'
import { CHINESE, fillBody, LONG_EXCEPTIONS, LONG_TEXT, MANY_MEMBERS, METADATA } from '../bodies.ts'
import { distinctWords, type World } from '../world.ts'
import {
  bearer,
  type Composers,
  type CostlyRequest,
  JSON_BODY,
  nextNumber,
  type RequestTable,
  unique,
} from './compose.ts'

/** Submitting, listing, searching and changing issues. */
export function issueRequests(world: World, { blind, get, send, post }: Composers) {
  const { dataset, person } = world
  const project = `/v1/projects/${dataset.slug}`
  const list = (what: string, query: string, more: Partial<CostlyRequest> = {}) =>
    get(what, `/v1/issues?pageSize=100&${query}`, more)
  const everywhere = (what: string, query: string) =>
    send(what, [200], () => ({
      method: 'GET',
      path: `/v1/issues?pageSize=100&${query}`,
      headers: person.headers,
    }))
  const counts = (what: string, query: string, more: Partial<CostlyRequest> = {}) =>
    get(what, `/v1/issues/counts?${query}`, more)
  const search = (what: string, q: string, more = '') => list(what, `q=${encodeURIComponent(q)}${more}`)
  const submit = (what: string, statuses: readonly number[], body: () => string) =>
    post(what, statuses, '/v1/issues', body, bearer(world.publicKey))
  const patch = (what: string, issue: () => string, body: object, more: Partial<CostlyRequest> = {}) =>
    send(
      what,
      [200],
      () => ({
        method: 'PATCH',
        path: `/v1/issues/${issue()}`,
        headers: { ...bearer(world.sightedKey), ...JSON_BODY },
        body: JSON.stringify(body),
      }),
      more,
    )
  const bulk = (what: string, statuses: readonly number[], selection: () => object) =>
    post(
      what,
      statuses,
      '/v1/issues/bulk',
      () =>
        JSON.stringify({
          bulkId: `cost-${nextNumber()}`,
          ...selection(),
          action: 'change',
          patch: { priority: 'high' },
        }),
      bearer(world.sightedKey),
    )

  return {
    submitIssue: [
      submit('the longest text, all words different', [201], () => report({ description: LONG_TEXT })),
      submit('the longest text in Chinese', [201], () => report({ description: CHINESE })),
      submit('the longest text of 4-byte characters', [201], () =>
        report({ description: '🐞'.repeat(32_768) }),
      ),
      submit('the most metadata', [201], () => report({ metadata: METADATA })),
      submit('the most context', [201], () => report({ context: CONTEXT, reporter: { id: unique() } })),
      submit('a new reporter of a noisy crash', [200], () =>
        report({ fingerprint: 'noisy-0', reporter: { id: unique(), email: 'ada@example.com' } }),
      ),
      submit('a repeat of a noisy crash', [200], () => report({ fingerprint: 'noisy-0' })),
      submit('the longest exceptions', [200, 201], () => report({ exception: LONG_EXCEPTIONS })),
      submit('as many unknown members as fit', [422], () => MANY_MEMBERS),
      submit('as many repeated members as fit', [201], () =>
        fillBody('{"title":"x"', (n) => `,"platform":"p${n}"`, '}'),
      ),
      submit('arrays nested as deep as fits', [400], () => '['.repeat(120_000) + ']'.repeat(120_000)),
      submit(
        'metadata nested as deep as fits',
        [400],
        () => `{"title":"x","metadata":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`,
      ),
      submit('a number of 250,000 digits', [422], () => `{"title":${'9'.repeat(250_000)}}`),
      submit('a string of 40,000 escapes', [422], () => `{"title":"${'\\u0041'.repeat(40_000)}"}`),
    ],
    createIssue: [
      post('the longest text', [201], `${project}/issues`, () =>
        JSON.stringify({ submissionId: unique(), title: unique(), description: LONG_TEXT }),
      ),
    ],
    listIssues: [
      list('first page', 'page=1'),
      list('the last page that can be asked for', 'page=100'),
      ...['oldest', 'updated', 'reports', 'priority'].map((sort) => list(`by ${sort}`, `sort=${sort}`)),
      list('filters without an index', 'branch=nowhere&platform=ios&sort=updated'),
      list('every filter at once', `${EVERY_FILTER}&sort=reports`),
      list('the filters of the team', `${TEAM_FILTERS}&sort=reports`),
      list('a fingerprint that no issue has', 'fingerprint=nowhere'),
      list('an assignee that no issue has, by reports', `assignee=${NO_PERSON}&sort=reports`),
      list('a label that no issue has, by priority', 'label=nowhere&sort=priority'),
      list('a reporter that no issue has, by priority', 'reporter=nobody&sort=priority'),
      list('as many reporters as fit, by reports', `reporter=${REPORTERS}&branch=nowhere&sort=reports`),
      list('issues without an assignee, by priority', 'assignee=none&branch=nowhere&sort=priority'),
      ...['updated', 'reports', 'priority'].map((sort) =>
        everywhere(`of all projects, by ${sort}`, `sort=${sort}`),
      ),
      everywhere('of all projects, a filter that nothing passes', 'branch=nowhere'),
      everywhere('of all projects, without an assignee', 'assignee=none&branch=nowhere&sort=reports'),
      list('deep cursor', `cursor=${dataset.cursors[0]}`),
      list('a moment that nothing was created at', 'createdBefore=1990-01-01T00:00:00.000Z&sort=priority'),
      search('a common word', 'the'),
      search('three common words', 'the and screen'),
      search('three common words that are rare together', 'keyboard twice video'),
      search('a common word, by reports', 'the', '&sort=reports'),
      search('a word and a filter without an index', 'crash', '&branch=nowhere'),
      search('a prefix, filters and another order', 'des*', '&sort=reports&platform=ios,web&branch=nowhere'),
      search('the shortest prefix', 'e*'),
      search('equal prefixes and a word', `${'e* '.repeat(30)}screen`),
      search('four short prefixes', 'a* b* c* d*'),
      search('different prefixes', LETTERS.map((letter) => `${letter}*`).join(' ')),
      search('prefixes of two letters', LETTERS.map((letter) => `s${letter}*`).join(' ')),
      search('prefix and rare word', 's* zezezeze'),
      search('phrase of common words', '"the screen"'),
      search('many phrases', LETTERS.map((letter) => `"the ${letter}"`).join(' ')),
      search('phrase of common words that is rare', '"the and the"', '&branch=nowhere'),
      search('one long phrase', `"${'the '.repeat(120)}"`),
      search('long phrases', [16, 15, 14, 13, 12, 11].map((n) => `"${'the '.repeat(n)}"`).join(' ')),
      search('Chinese', '错误'.repeat(120)),
      search('as many words as fit', distinctWords(500)),
      // The first one is too short to narrow anything down.
      ...['s*', 'se*', 'se* st*'].map((q) =>
        list(`short prefixes in a project of ten issues: ${q}`, '', {
          next: () => ({
            method: 'GET',
            path: `/v1/issues?pageSize=100&q=${encodeURIComponent(q)}`,
            headers: bearer(world.tinyKey),
          }),
          maxCpuMs: 10,
        }),
      ),
    ],
    countIssues: [
      counts('without filters', ''),
      counts('filters without an index', 'branch=nowhere&platform=ios'),
      counts('the filters of the team', TEAM_FILTERS),
      counts('as many reporters as fit', `reporter=${REPORTERS}`),
      counts('issues without an assignee', 'assignee=none&branch=nowhere'),
      counts('every filter at once', EVERY_FILTER.slice(EVERY_FILTER.indexOf('&') + 1)),
      ...['the', 'the and screen', 'e*', 's* zezezeze', '"the screen"', distinctWords(500)].map((q) =>
        counts(`a search for ${q.slice(0, 20)}`, `q=${encodeURIComponent(q)}`),
      ),
    ],
    retrieveIssue: [
      get('the longest text', `/v1/issues/${world.longIssue}`),
      get('a noisy issue', `/v1/issues/${world.noisyIssue}`),
    ],
    retrieveIssueByNumber: [
      get('the first', `${project}/issues/1`),
      get('the longest text', `${project}/issues/${world.longIssueNumber}`),
      get('one that is not there', `${project}/issues/2147483647`, { statuses: [404] }),
    ],
    changeIssue: [
      patch('the longest text', () => world.takeIssue(), { description: LONG_TEXT, note: 'x'.repeat(4_000) }),
      patch('title and priority', () => world.takeIssue(), { title: 'Another title', priority: 'critical' }),
      patch('an issue into the security lane', () => world.takeIssue(), { category: 'security' }),
      patch(
        'a noisy issue into the security lane',
        () => world.takeNoisyIssue(),
        { category: 'security' },
        SCARCE,
      ),
    ],
    deleteIssue: [
      send('an issue', [204, 404], () => ({ method: 'DELETE', path: `/v1/issues/${world.takeIssue()}` })),
      send(
        'a noisy issue',
        [204],
        () => ({ method: 'DELETE', path: `/v1/issues/${world.takeNoisyIssue()}` }),
        SCARCE,
      ),
    ],
    markSpam: [
      send('an issue, with its sender', [200, 404], () => ({
        method: 'POST',
        path: `/v1/issues/${world.takeIssue()}/spam`,
        headers: { ...blind, ...JSON_BODY },
        body: JSON.stringify({ blockSender: true }),
      })),
    ],
    unmarkSpam: [
      send('an issue', [200, 404], () => ({
        method: 'DELETE',
        path: `/v1/issues/${world.takeIssue()}/spam`,
      })),
    ],
    changeIssues: [
      bulk('as many issues as fit, all but one missing', [409], () => ({
        issues: Array.from({ length: MAX_BULK_ISSUES }, (_, n) => ({
          id: n === 0 ? world.longIssue : `iss_7zzzz${String(n).padStart(21, '0')}`,
          version: 1,
        })),
      })),
      bulk('a filter without an index', [409, 422], () => ({
        filter: { branch: ['nowhere'], platform: ['ios'] },
        count: MAX_BULK_ISSUES,
      })),
      bulk('a search for a frequent word', [409, 422], () => ({
        filter: { q: 'screen*' },
        count: MAX_BULK_ISSUES,
      })),
    ],
    mergeIssue: [
      send('into one with ever more duplicates', [200, 404, 409, 422], () => ({
        method: 'POST',
        path: `/v1/issues/${world.takeIssue()}/merge`,
        headers: { ...bearer(world.sightedKey), ...JSON_BODY },
        body: JSON.stringify({ into: world.noisyIssue }),
      })),
    ],
    unmergeIssue: [
      send('an issue', [200, 404], () => ({
        method: 'POST',
        path: `/v1/issues/${world.takeIssue()}/unmerge`,
        headers: bearer(world.sightedKey),
      })),
    ],
    listDuplicates: [get('of a noisy issue', `/v1/issues/${world.noisyIssue}/duplicates?pageSize=100`)],
    listIssueEvents: [get('of a noisy issue', `/v1/issues/${world.noisyIssue}/events?pageSize=100`)],
  } satisfies RequestTable
}

const SCARCE = { isScarce: true } as const
const NO_PERSON = 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx'
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const EVERY_FILTER =
  'status=open,resolved&category=bug,crash&priority=low,high&platform=ios,web&appVersion=2.1.0,2.2.0&branch=release/2.1,release/2.2'
const TEAM_FILTERS =
  'osVersion=iOS 26&deviceModel=nothing&buildNumber=1,2&updatedAfter=2020-01-01T00:00:00Z&updatedBefore=2040-01-01T00:00:00Z&onDefaultBranch=false'.replaceAll(
    ' ',
    '%20',
  )
const REPORTERS = Array.from({ length: MAX_FILTER_VALUES }, (_, n) => `Person-${n}@example.com`).join()
const CONTEXT = Object.fromEntries(
  Array.from({ length: MAX_CONTEXT_FIELDS }, (_, n) => [`c${n}`, 'x'.repeat(MAX_CONTEXT_STRING_CHARS)]),
)

function report(members: object): string {
  return JSON.stringify({ title: 'Costly', submissionId: unique(), ...members })
}
