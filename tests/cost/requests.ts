import {
  type endpoints,
  MAX_BULK_ISSUES,
  MAX_COMMENT_CHARS,
  MAX_CONTEXT_FIELDS,
  MAX_CONTEXT_STRING_CHARS,
  MAX_FEED_SIZE,
  MAX_FILTER_VALUES,
  MAX_MESSAGE_CHARS,
  MAX_TITLE_CHARS,
  REPORTER_HEADER,
} from '@bugle/contract'
import type { sentryEndpoints } from '@bugle/contract/sentry'
import { type IssueId, projectNumberOf } from '../../packages/server/src/model/ids.ts'
import { CHINESE, fillBody, LONG_EXCEPTIONS, LONG_TEXT, MANY_MEMBERS, METADATA } from './bodies.ts'
import { deepestEvent, envelopeOf, largestEvent, MANY_ITEMS } from './envelopes.ts'
import { distinctWords, METRICS_TOKEN, REPORTER_SECRET, type World } from './world.ts'

/** A raw HTTP request. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One of the most expensive requests that an endpoint accepts, or refuses only after some work. */
export interface CostlyRequest {
  readonly what: string
  /** The statuses it may get. */
  readonly statuses: readonly number[]
  /** Creates one; requests that use up their target get a new one each time. */
  next(): WireRequest
  /** The response is endless and is read for a while. Its steps are bounded, not its total. */
  readonly isStream?: true
  /** It uses up a scarce resource, so it is not sent by twenty clients. */
  readonly isScarce?: true
  /** It has a lower CPU limit than others. */
  readonly maxCpuMs?: number
}

type EndpointName = keyof typeof endpoints | keyof typeof sentryEndpoints

/** READ FIRST: the table. An endpoint without an entry does not compile. */
export function costlyRequests(world: World): Readonly<Record<EndpointName, readonly CostlyRequest[]>> {
  const { dataset, person } = world
  const blind = bearer(world.blindKey)
  const project = `/v1/projects/${dataset.slug}`
  const webhook = `/v1/webhooks/${world.webhookId}`
  const get = (what: string, path: string, more: Partial<CostlyRequest> = {}): CostlyRequest => ({
    what,
    statuses: [200],
    next: () => ({ method: 'GET', path, headers: blind }),
    ...more,
  })
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
  const send = (
    what: string,
    statuses: readonly number[],
    compose: () => Omit<WireRequest, 'headers'> & { readonly headers?: WireRequest['headers'] },
    more: Partial<CostlyRequest> = {},
  ): CostlyRequest => ({ what, statuses, next: () => ({ headers: blind, ...compose() }), ...more })
  const post = (
    what: string,
    statuses: readonly number[],
    path: string,
    body: () => string,
    headers = blind,
  ) =>
    send(what, statuses, () => ({
      method: 'POST',
      path,
      headers: { ...headers, ...JSON_BODY },
      body: body(),
    }))
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
  const own = (what: string, statuses: readonly number[], method: string, path: string, body?: object) =>
    send(what, statuses, () => ({
      method,
      path,
      headers: { ...person.headers, ...JSON_BODY },
      ...(body && { body: JSON.stringify(body) }),
    }))

  const envelope = (what: string, statuses: readonly number[], end: string, body: () => string) =>
    send(what, statuses, () => ({
      method: 'POST',
      path: `/api/${projectNumberOf(dataset.issueIds[0] as IssueId)}/${end}/`,
      headers: bearer(world.publicKey),
      body: body(),
    }))

  const comment = (what: string, text: string) =>
    post(what, [201, 409], `/v1/issues/${world.noisyIssue}/comments`, () =>
      JSON.stringify({ commentId: `cost-${++uniqueCount}`, text }),
    )
  const mine = (
    what: string,
    statuses: readonly number[],
    make: () => { readonly method?: string; readonly path: string; readonly body?: object },
  ) =>
    send(what, statuses, () => {
      const { method = 'GET', path, body } = make()
      return {
        method,
        path: `/v1/my/reports${path}`,
        headers: {
          ...bearer(world.publicKey),
          [REPORTER_HEADER.toLowerCase()]: REPORTER_SECRET,
          ...(body && JSON_BODY),
        },
        ...(body && { body: JSON.stringify(body) }),
      }
    })
  const knownIssues = (what: string, title: string) =>
    send(what, [200], () => ({
      method: 'POST',
      path: '/v1/known-issues/search',
      headers: { ...bearer(world.publicKey), ...JSON_BODY },
      body: JSON.stringify({ title, appVersion: '2.4.1' }),
    }))
  const blockOf = (method: string) => ({
    method,
    path: `/v1/issues/${world.followedIssue}/reports/${firstReportOf(world.followedIssue)}/block`,
  })
  const ownComment = (method: string, commentId = 'long-0') => ({
    method,
    path: `/v1/issues/${world.longIssue}/comments/${commentId}`,
  })

  const bulk = (what: string, statuses: readonly number[], selection: () => object) =>
    post(
      what,
      statuses,
      '/v1/issues/bulk',
      () =>
        JSON.stringify({
          bulkId: `cost-${++uniqueCount}`,
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
    listIssueReports: [
      get('of a noisy issue', `/v1/issues/${world.noisyIssue}/reports?pageSize=100`),
      get('with different texts', `/v1/issues/${world.noisyIssue}/reports?pageSize=100&distinct=true`),
    ],
    deleteReport: [
      send('the first one', [409, 404], () => ({
        method: 'DELETE',
        path: `/v1/issues/${world.noisyIssue}/reports/${firstReportOf(world.noisyIssue)}`,
      })),
    ],
    blockReporter: [send('with many reports', [204], () => blockOf('PUT'))],
    unblockReporter: [send('with many reports', [204], () => blockOf('DELETE'))],
    redactReport: [
      send('the first one', [200, 404], () => redactionOf(world.takeIssue())),
      send('of a noisy issue', [200], () => redactionOf(world.noisyIssue)),
    ],
    listIssueComments: [
      get('the longest ones', `/v1/issues/${world.longIssue}/comments?pageSize=100`),
      get('in the history', `/v1/issues/${world.longIssue}/events?pageSize=100`),
    ],
    createComment: [
      comment('the longest text', 'x'.repeat(MAX_COMMENT_CHARS)),
      comment('as many mentions as fit', '@a '.repeat(2_730)),
    ],
    changeComment: [
      send('the longest text', [200], () => ({
        ...ownComment('PATCH'),
        headers: { ...blind, ...JSON_BODY },
        body: JSON.stringify({ text: `${'@a '.repeat(2_700)}${++uniqueCount}` }),
      })),
    ],
    uploadCommentAttachment: [
      send('not declared', [404], () => ({
        method: 'PUT',
        path: `${ownComment('PUT').path}/attachments/${'0'.repeat(64)}`,
        headers: blind,
        body: 'x'.repeat(65_536),
      })),
    ],
    deleteComment: [send('one that does not exist', [404], () => ownComment('DELETE', 'none'))],
    uploadAttachment: [
      send('not declared', [404], () => ({
        method: 'PUT',
        path: `/v1/submissions/none/attachments/${'0'.repeat(64)}`,
        headers: bearer(world.publicKey),
        body: 'x'.repeat(65_536),
      })),
    ],
    uploadIssueAttachment: [
      send('not declared', [404], () => ({
        method: 'PUT',
        path: `${project}/submissions/none/attachments/${'0'.repeat(64)}`,
        body: 'x'.repeat(65_536),
      })),
    ],
    listIssueAttachments: [
      get('of a noisy issue', `/v1/issues/${world.noisyIssue}/attachments?pageSize=100`),
    ],
    downloadAttachment: [
      get('one that does not exist', `/v1/attachments/${world.noisyIssue.replace('iss_', 'att_')}`, {
        statuses: [404],
      }),
    ],
    searchKnownIssues: [
      knownIssues('as many words as fit', distinctWords(MAX_TITLE_CHARS)),
      knownIssues('Chinese', CHINESE.slice(0, MAX_TITLE_CHARS)),
    ],
    listMyReports: [mine('as many as are listed', [200], () => ({ path: '' }))],
    listMyMessages: [
      mine('the longest', [200], () => ({ path: `/${firstReportOf(world.followedIssue)}/messages` })),
    ],
    sendMyMessage: [
      mine('the longest text', [201, 409], () => ({
        method: 'POST',
        path: `/${firstReportOf(world.followedIssue)}/messages`,
        body: { messageId: `cost-${++uniqueCount}`, text: 'x'.repeat(MAX_MESSAGE_CHARS) },
      })),
    ],
    markMyReportRead: [
      mine('all replies', [204], () => ({
        method: 'PUT',
        path: `/${firstReportOf(world.followedIssue)}/read`,
        body: { messageId: 'reply-0' },
      })),
    ],
    sendEnvelope: [
      envelope('the largest event', [200], 'envelope', () => envelopeOf(largestEvent())),
      envelope('an event nested as deep as fits', [200], 'envelope', () => envelopeOf(deepestEvent())),
      envelope('many items', [200], 'envelope', () => MANY_ITEMS),
    ],
    storeEvent: [
      envelope('the largest event', [200], 'store', largestEvent),
      envelope('an event nested as deep as fits', [400], 'store', deepestEvent),
    ],
    listProjects: [get('all of them', '/v1/projects')],
    getProject: [get('the large one', project)],
    listProjectKeys: [get('of the large one', `${project}/keys`)],
    getProjectStats: [
      get('a year', `${project}/stats?days=365`),
      get('of a period', `${project}/stats?from=2026-01-01T00:00:00Z&to=2026-06-01T00:00:00Z`),
      get('of issues created within a year', `${project}/stats?createdWithinDays=365`),
    ],
    getVersionStats: [get('a year', `${project}/stats/versions?days=365`)],
    listLabels: [get('of the large one', `${project}/labels`)],
    listPeople: [get('the longest page', `${project}/people?pageSize=100`)],
    listVersions: [
      get('the longest page', `${project}/versions?pageSize=100`),
      get('a search', `${project}/versions?pageSize=100&q=1`),
    ],
    listBranches: [get('the longest page', `${project}/branches?pageSize=100`)],
    listEvents: [
      get('the longest page from the beginning', `/v1/events?after=0&limit=${MAX_FEED_SIZE}`),
      get('a type that never occurs', `/v1/events?after=0&limit=${MAX_FEED_SIZE}&type=webhook.paused`),
      get('a type that is rare', '/v1/events?after=0&limit=1&type=issue.deleted'),
      send('a replay of everything, as a stream', [200], () => stream('/v1/events?after=0'), STREAM),
      send(
        'a replay of a type that never occurs',
        [200],
        () => stream('/v1/events?after=0&type=webhook.paused'),
        STREAM,
      ),
    ],
    createWebhook: [
      post('the longest address', [201, 409, 422], '/v1/webhooks', () =>
        JSON.stringify({ url: world.receiverUrl + 'x'.repeat(2_000), eventTypes: ['issue.deleted'] }),
      ),
    ],
    listWebhooks: [
      get('as many as there may be, with as many pending deliveries', '/v1/webhooks?pageSize=100', {
        next: () => ({
          method: 'GET',
          path: '/v1/webhooks?pageSize=100',
          headers: bearer(world.hookedKey),
        }),
      }),
    ],
    getWebhook: [get('one with deliveries', webhook)],
    changeWebhook: [
      send('its types', [200], () => ({
        method: 'PATCH',
        path: webhook,
        headers: { ...blind, ...JSON_BODY },
        body: JSON.stringify({ name: `name ${unique()}` }),
      })),
    ],
    rotateWebhookSecret: [
      send('again and again', [200], () => ({ method: 'POST', path: `${webhook}/rotate-secret` })),
    ],
    testWebhook: [send('again and again', [200], () => ({ method: 'POST', path: `${webhook}/test` }))],
    listDeliveries: [get('all of them', `${webhook}/deliveries?pageSize=100`)],
    getDelivery: [get('one that is not there', `${webhook}/deliveries/1`, { statuses: [404] })],
    redeliver: [
      send('one that is not there', [404], () => ({
        method: 'POST',
        path: `${webhook}/deliveries/1/redeliver`,
      })),
    ],
    deleteWebhook: [
      send('one that is not there', [404], () => ({ method: 'DELETE', path: `/v1/webhooks/${NO_WEBHOOK}` })),
    ],
    getSdkConfig: [
      send('as an app', [200], () => ({
        method: 'GET',
        path: '/v1/sdk-config',
        headers: bearer(world.publicKey),
      })),
    ],
    signIn: [
      own('a wrong password', [401, 429, 503], 'POST', '/session', {
        email: person.email,
        password: 'x'.repeat(256),
      }),
      post('as many unknown members as fit', [413, 422, 429], '/session', () => MANY_MEMBERS, CSRF),
    ],
    getSession: [own('of a person', [200], 'GET', '/session')],
    signOut: [own('of no one', [401], 'DELETE', '/session')].map(withoutCookie),
    getSetup: [own('of a person', [200], 'GET', '/session/setup')],
    readLink: [own('a link', [200], 'POST', '/session/link', { token: world.linkToken })],
    acceptLink: [
      own('a link that is not there', [400, 404, 410, 422, 429], 'POST', '/session/link/accept', {
        token: 'x'.repeat(43),
        password: 'x'.repeat(256),
      }),
    ],
    changePassword: [
      own('with a wrong password', [403, 422, 429, 401, 503], 'POST', '/session/password', {
        currentPassword: 'x'.repeat(256),
        newPassword: 'y'.repeat(256),
      }),
    ],
    listSignIns: [own('of a person', [200], 'GET', '/session/sign-ins')],
    endSignIn: [own('one that is not there', [404], 'DELETE', `/session/sign-ins/${NO_SIGN_IN}`)],
    endAllSignIns: [own('of no one', [401], 'DELETE', '/session/sign-ins')].map(withoutCookie),
    listViews: [
      own('of a person', [200], 'GET', '/session/views'),
      own('of a project', [200], 'GET', `/session/views?projectId=${dataset.slug}`),
    ],
    createView: [
      send('as many as there may be', [201, 409], () => ({
        method: 'POST',
        path: '/session/views',
        headers: { ...person.headers, ...JSON_BODY },
        body: JSON.stringify({ name: unique(), projectId: dataset.slug, query: `q=${'x'.repeat(1_000)}` }),
      })),
    ],
    changeView: [own('one that is not there', [404], 'PATCH', `/session/views/${NO_VIEW}`, { name: 'x' })],
    deleteView: [own('one that is not there', [404], 'DELETE', `/session/views/${NO_VIEW}`)],
    checkHealth: [get('anyone', '/healthz')],
    checkReadiness: [get('anyone', '/readyz')],
    readMetrics: [get('with the token', '/metrics', { next: metrics })],
  }

  function stream(path: string): WireRequest {
    return { method: 'GET', path, headers: { ...blind, accept: 'text/event-stream' } }
  }
}

/** Paths that are not endpoints of the contract. */
export function otherRequests(world: World): readonly CostlyRequest[] {
  const plain = (what: string, method: string, path: string, statuses: readonly number[]): CostlyRequest => ({
    what,
    statuses,
    next: () => ({ method, path, headers: {} }),
  })
  return [
    plain('the OpenAPI document', 'GET', '/openapi.json', [200]),
    plain('the reference', 'GET', '/docs', [200]),
    plain('the dashboard', 'GET', '/', [200]),
    {
      what: 'a path that is not there, with a long body',
      statuses: [401, 404, 413, 429],
      next: () => ({ method: 'POST', path: '/nope', headers: { ...JSON_BODY }, body: MANY_MEMBERS }),
    },
    {
      what: 'an unknown key',
      statuses: [401, 429],
      next: () => ({ method: 'GET', path: '/v1/issues', headers: bearer(world.blindKey.replace(/.$/, '!')) }),
    },
  ]
}

const JSON_BODY = { 'content-type': 'application/json' }
const CSRF = { 'bugle-csrf': '1' }
const SCARCE = { isScarce: true } as const
const STREAM = { isStream: true } as const
const NO_WEBHOOK = 'whk_01m8z3v9q8e1r8m6n0p4s2t7wx'
const NO_SIGN_IN = 'sgn_01m8z3v9q8e1r8m6n0p4s2t7wx'
const NO_PERSON = 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx'
const NO_VIEW = 'viw_01m8z3v9q8e1r8m6n0p4s2t7wx'
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
let uniqueCount = 0

function unique(): string {
  return `cost-${process.pid}-${++uniqueCount}`
}

function report(members: object): string {
  return JSON.stringify({ title: 'Costly', submissionId: unique(), ...members })
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

function withoutCookie(request: CostlyRequest): CostlyRequest {
  return {
    ...request,
    next() {
      const { headers, ...rest } = request.next()
      const { cookie: _, ...others } = headers
      return { ...rest, headers: others }
    },
  }
}

function metrics(): WireRequest {
  return { method: 'GET', path: '/metrics', headers: bearer(METRICS_TOKEN) }
}

function redactionOf(issueId: string) {
  return { method: 'POST', path: `/v1/issues/${issueId}/reports/${firstReportOf(issueId)}/redact` }
}

/** The first report has the id of its issue, with another prefix. */
function firstReportOf(issueId: string): string {
  return issueId.replace('iss_', 'rep_')
}
