import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain/domain-error.ts'
import type { PublicPages } from '../../../domain/reporters/public-pages.ts'
import { isMatched } from '../../answers/conditional.ts'
import type { RateLimit } from '../../gates/rate-limit.ts'
import type { Dashboard } from '../../pages/dashboard-files.ts'
import { PUBLIC_PAGE_POLICY, renderPublicPage } from '../../pages/public-page.ts'

/** The page of a public project, for people without an account. */
export const PUBLIC_PAGE_PATH = '/p/:slug'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PUBLIC_PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  // Anyone with a public key can put text on it.
  'x-robots-tag': 'noindex',
  'cache-control': 'no-cache',
}
const TAG_CHARS = 16

interface PublicPageDependencies {
  readonly publicPages: PublicPages
  readonly dashboard: Dashboard
  readonly rateLimit: RateLimit
}

/** It is the same for everyone: a cookie or a key makes no difference. */
export function bindPublicPage(
  app: FastifyInstance,
  { publicPages, dashboard, rateLimit }: PublicPageDependencies,
): void {
  app.get<{ Params: { slug: string }; Querystring: Readonly<Record<string, unknown>> }>(
    PUBLIC_PAGE_PATH,
    {
      onRequest(request, reply, done) {
        rateLimit.countReader(request, reply)
        done()
      },
    },
    async (request, reply) => {
      const { 'known-cursor': knownCursor, cursor } = request.query
      const place = { knownCursor: textIn(knownCursor), cursor: textIn(cursor) }
      // Each of them continues one list without the other: no link has both.
      if (place.knownCursor !== undefined && place.cursor !== undefined) return reply.callNotFound()
      const page = await publicPages.read(request.params.slug, place).catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'invalid-cursor') return undefined
        throw error
      })
      if (page === undefined) return reply.callNotFound()
      const text = renderPublicPage(page, await dashboard.look())
      const etag = `"${hash('sha256', text, 'base64url').slice(0, TAG_CHARS)}"`
      reply.headers({ ...HEADERS, etag })
      return isMatched(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(text)
    },
  )
}

/** A parameter that is given several times is ignored, like an unknown one. */
function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
