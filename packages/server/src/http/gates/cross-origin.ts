import { type Endpoint, endpoints, REPORTER_HEADER } from '@bugle/contract'
import { sentryEndpoints } from '@bugle/contract/sentry'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { toFastifyPath } from '../fastify-path.ts'

const EXPOSED_HEADERS = 'Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, ETag, Date'
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key'
/** `If-None-Match` is not among those that every page may send. */
const REPORTER_HEADERS = `Authorization, Content-Type, If-None-Match, ${REPORTER_HEADER}`
/** What Sentry's SDKs may send from a page. */
const SENTRY_HEADERS =
  'Authorization, Content-Type, Content-Encoding, X-Sentry-Auth, X-Requested-With, Origin, Accept, Authentication, Baggage, Sentry-Trace'
const PREFLIGHT_MAX_AGE_SECONDS = 7_200

/** Lets a page of any origin read the response, including errors. The key's own list of origins decides what it may do. */
export function allowCrossOrigin(reply: FastifyReply): void {
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', EXPOSED_HEADERS)
    .header('cross-origin-resource-policy', 'cross-origin')
}

/** Responds to CORS preflights. They have no key, so the response is the same for everyone. */
export function answerPreflights(app: FastifyInstance): void {
  for (const path of new Set(crossOriginEndpoints().map((endpoint) => endpoint.path))) {
    const methods = crossOriginEndpoints().filter((endpoint) => endpoint.path === path)
    app.options(toFastifyPath(path), async (_, reply) => {
      allowCrossOrigin(reply)
      return reply
        .code(204)
        .header('access-control-allow-methods', methods.map(({ method }) => method).join(', '))
        .header('access-control-allow-headers', allowedHeaders(methods))
        .header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS)
        .send()
    })
  }
}

function allowedHeaders(endpointsOfPath: readonly Endpoint[]): string {
  if (endpointsOfPath.some(({ keyIn }) => keyIn === 'sentry')) return SENTRY_HEADERS
  return endpointsOfPath.some(({ isForReporters }) => isForReporters) ? REPORTER_HEADERS : REQUEST_HEADERS
}

function crossOriginEndpoints(): readonly Endpoint[] {
  return Object.values<Endpoint>({ ...endpoints, ...sentryEndpoints }).filter(
    (endpoint) => endpoint.crossOrigin,
  )
}
