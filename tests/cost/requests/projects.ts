import { MAX_FEED_SIZE } from '@bugle/contract'
import type { World } from '../world.ts'
import {
  bearer,
  type ComposedRequest,
  type Composers,
  JSON_BODY,
  type RequestTable,
  unique,
} from './compose.ts'

/** Projects, their statistics, events and webhooks. */
export function projectRequests(world: World, { blind, get, send, post }: Composers) {
  const project = `/v1/projects/${world.dataset.slug}`
  const webhook = `/v1/webhooks/${world.webhookId}`

  return {
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
  } satisfies RequestTable

  function stream(path: string): ComposedRequest {
    return { method: 'GET', path, headers: { ...blind, accept: 'text/event-stream' } }
  }
}

const STREAM = { isStream: true } as const
const NO_WEBHOOK = 'whk_01m8z3v9q8e1r8m6n0p4s2t7wx'
