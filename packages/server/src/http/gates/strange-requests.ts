import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'

/** Node would respond to these itself, in its own format; with this they are treated like all other requests. */
export const STRANGE_REQUESTS_PASS = { requireHostHeader: false } as const

/** Refuses malformed requests that could still be parsed. Needs {@link STRANGE_REQUESTS_PASS}. */
export function refuseStrangeRequests(app: FastifyInstance): void {
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', ({ raw }, _, done) => {
    const hosts = countHosts(raw.rawHeaders)
    if (hosts === 1 || (hosts === 0 && raw.httpVersion !== '1.1')) return done()
    const detail =
      hosts === 0 ? 'The request has no Host header.' : 'The request has more than one Host header.'
    done(new DomainError('bad-request', { detail }))
  })
}

/** Names and values alternate. Node keeps the first of several, while a proxy may have used another. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 'host'.length && name.toLowerCase() === 'host') count++
  }
  return count
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i

/** The target of a request without the host that the absolute form has (RFC 9112, section 3.2.2): the host is untrusted and not needed. */
export function pathOf({ url = '/' }: { readonly url?: string | undefined }): string {
  if (url.startsWith('/')) return url
  const rest = url.replace(ABSOLUTE_FORM, '')
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest
}
