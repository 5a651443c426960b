import type { Deprecation, Endpoint } from '@bugle/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REFERENCE_PATH } from '../pages/guides.ts'

/** The hook that announces, on every answer of the endpoint, errors too, that it is to go; nothing if it stays. */
export function announceDeprecation({ name, deprecation }: Endpoint) {
  if (deprecation === undefined) return {}
  const { link: ours, ...headers } = deprecationHeaders(name, deprecation)
  return {
    // As late as this, because the handler may have set links of its own.
    async onSend(_: FastifyRequest, reply: FastifyReply): Promise<void> {
      const theirs = reply.getHeader('link')
      reply.headers({ ...headers, link: theirs === undefined ? ours : `${theirs}, ${ours}` })
    },
  }
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and where to read on. */
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
