import type { endpoints } from '@bugle/contract'
import type { sentryEndpoints } from '@bugle/contract/sentry'
import type { World } from '../world.ts'

/** A raw HTTP request. */
export interface ComposedRequest {
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
  next(): ComposedRequest
  /** The response is endless and is read for a while. Its steps are bounded, not its total. */
  readonly isStream?: true
  /** It uses up a scarce resource, so it is not sent by twenty clients. */
  readonly isScarce?: true
  /** It has a lower CPU limit than others. */
  readonly maxCpuMs?: number
}

export type EndpointName = keyof typeof endpoints | keyof typeof sentryEndpoints

/** The requests of some endpoints, by the name of the endpoint. */
export type RequestTable = Partial<Readonly<Record<EndpointName, readonly CostlyRequest[]>>>

/** Functions that compose requests: `get`, `send` and `post` use the key without `security:read`, `own` the session of a person. */
export function composersFor({ blindKey, person }: World) {
  const blind = bearer(blindKey)
  const get = (what: string, path: string, more: Partial<CostlyRequest> = {}): CostlyRequest => ({
    what,
    statuses: [200],
    next: () => ({ method: 'GET', path, headers: blind }),
    ...more,
  })
  const send = (
    what: string,
    statuses: readonly number[],
    compose: () => Omit<ComposedRequest, 'headers'> & { readonly headers?: ComposedRequest['headers'] },
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
  const own = (what: string, statuses: readonly number[], method: string, path: string, body?: object) =>
    send(what, statuses, () => ({
      method,
      path,
      headers: { ...person.headers, ...JSON_BODY },
      ...(body && { body: JSON.stringify(body) }),
    }))
  return { blind, get, send, post, own }
}

export type Composers = ReturnType<typeof composersFor>

export const JSON_BODY = { 'content-type': 'application/json' }

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

let count = 0

/** A number that no other request has. */
export function nextNumber(): number {
  return ++count
}

/** An id that no other request has, in this run or in an earlier one on the same database. */
export function unique(): string {
  return `cost-${process.pid}-${nextNumber()}`
}

/** The first report has the id of its issue, with another prefix. */
export function firstReportOf(issueId: string): string {
  return issueId.replace('iss_', 'rep_')
}
