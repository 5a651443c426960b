import { MANY_MEMBERS } from './bodies.ts'
import {
  bearer,
  type ComposedRequest,
  type CostlyRequest,
  composersFor,
  type EndpointName,
  JSON_BODY,
} from './requests/compose.ts'
import { issueRequests } from './requests/issues.ts'
import { peopleRequests } from './requests/people.ts'
import { projectRequests } from './requests/projects.ts'
import { reportRequests } from './requests/reports.ts'
import { METRICS_TOKEN, type World } from './world.ts'

/** READ FIRST: the table. An endpoint without an entry does not compile. */
export function costlyRequests(world: World): Readonly<Record<EndpointName, readonly CostlyRequest[]>> {
  const composers = composersFor(world)
  const { get } = composers
  return {
    ...issueRequests(world, composers),
    ...reportRequests(world, composers),
    ...projectRequests(world, composers),
    ...peopleRequests(world, composers),
    checkHealth: [get('anyone', '/healthz')],
    checkReadiness: [get('anyone', '/readyz')],
    readMetrics: [get('with the token', '/metrics', { next: metrics })],
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

function metrics(): ComposedRequest {
  return { method: 'GET', path: '/metrics', headers: bearer(METRICS_TOKEN) }
}
