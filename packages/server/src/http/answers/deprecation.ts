import type { Deprecation, Endpoint } from '@bugle/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REFERENCE_PATH } from '../pages/guides.ts'

/** The hook that announces the deprecation of an endpoint on each of its responses, including errors; nothing if it is not deprecated. */
export function announceDeprecation({ name, deprecation }: Endpoint) {
  if (deprecation === undefined) return {}
  const { link: ours, ...headers } = deprecationHeaders(name, deprecation)
  return {
    // This late, because the handler may have set its own links.
    async onSend(_: FastifyRequest, reply: FastifyReply): Promise<void> {
      const theirs = reply.getHeader('link')
      reply.headers({ ...headers, link: theirs === undefined ? ours : `${theirs}, ${ours}` })
    },
  }
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to more information. */
function deprecationHeaders(name: string, { since, sunset, successor }: Deprecation) {
  const about = `${REFERENCE_PATH}#${name}`
  const links = [
    `<${about}>; rel="deprecation"; type="text/html"`,
    `<${about}>; rel="sunset"`,
    `<${successor}>; rel="successor-version"`,
  ]
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    sunset: new Date(sunset).toUTCString(),
    link: links.join(', '),
  }
}
