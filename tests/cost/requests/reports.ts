import { MAX_COMMENT_CHARS, MAX_MESSAGE_CHARS, MAX_TITLE_CHARS, REPORTER_HEADER } from '@bugle/contract'
import { type IssueId, projectNumberOf } from '../../../packages/server/src/model/ids.ts'
import { CHINESE } from '../bodies.ts'
import { deepestEvent, envelopeOf, largestEvent, MANY_ITEMS } from '../envelopes.ts'
import { distinctWords, REPORTER_SECRET, type World } from '../world.ts'
import { bearer, type Composers, firstReportOf, JSON_BODY, nextNumber, type RequestTable } from './compose.ts'

/** Reports of an issue, its comments and files, what reporters see of it, and what Sentry's SDKs send. */
export function reportRequests(world: World, { blind, get, send, post }: Composers) {
  const { dataset } = world
  const project = `/v1/projects/${dataset.slug}`
  const envelope = (what: string, statuses: readonly number[], end: string, body: () => string) =>
    send(what, statuses, () => ({
      method: 'POST',
      path: `/api/${projectNumberOf(dataset.issueIds[0] as IssueId)}/${end}/`,
      headers: bearer(world.publicKey),
      body: body(),
    }))

  const comment = (what: string, text: string) =>
    post(what, [201, 409], `/v1/issues/${world.noisyIssue}/comments`, () =>
      JSON.stringify({ commentId: `cost-${nextNumber()}`, text }),
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

  return {
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
        body: JSON.stringify({ text: `${'@a '.repeat(2_700)}${nextNumber()}` }),
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
        body: { messageId: `cost-${nextNumber()}`, text: 'x'.repeat(MAX_MESSAGE_CHARS) },
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
  } satisfies RequestTable
}

function redactionOf(issueId: string) {
  return { method: 'POST', path: `/v1/issues/${issueId}/reports/${firstReportOf(issueId)}/redact` }
}
