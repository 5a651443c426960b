import type { FastifyRequest } from 'fastify'

const KEY = /(?:^|[\s,])sentry_key=(\w+)/
const DSN = /^https?:\/\/(\w+)(?::\w*)?@/

/**
 * The key that a request of a Sentry SDK names outside of its body: in `X-Sentry-Auth` or in the query. `undefined` if
 * there is none; the envelope may name it then.
 */
export function sentryKeyOf({ headers, query }: FastifyRequest): string | undefined {
  const inHeader = KEY.exec(headers['x-sentry-auth']?.toString() ?? '')?.[1]
  const { sentry_key: inQuery } = (query ?? {}) as Readonly<Record<string, unknown>>
  return inHeader ?? (typeof inQuery === 'string' ? inQuery : undefined)
}

/** The key in a DSN: `https://key@host/number`. */
export function keyInDsn(dsn: unknown): string | undefined {
  return typeof dsn === 'string' ? DSN.exec(dsn)?.[1] : undefined
}
