import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseCoding } from '../../answers/negotiate.ts'
import type { Dashboard, PageFile } from '../../pages/dashboard-files.ts'
import { PAGE_CONTENT_SECURITY_POLICY } from '../../pages/page.ts'
import { renderUnbuilt } from '../../pages/unbuilt-page.ts'

/** The addresses of the dashboard, which is one file with its own router. Any other address is not found. */
export const DASHBOARD_PATHS = [
  '/',
  '/sign-in',
  '/account',
  '/issues',
  '/issues/:id',
  '/projects/*',
  '/settings',
  '/settings/*',
] as const
export const ASSETS_PATH = '/assets/:name'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-cache',
}
/** Their names change with their content. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' }

/** Serves what was built. */
export function bindDashboard(app: FastifyInstance, dashboard: Dashboard): void {
  for (const path of DASHBOARD_PATHS) {
    app.get(path, async (request, reply) => {
      const page = await dashboard.find('index.html')
      if (page !== undefined) return sendFile(request, reply.headers(PAGE_HEADERS), page)
      reply.header('content-security-policy', PAGE_CONTENT_SECURITY_POLICY)
      return reply.code(503).type('text/html; charset=utf-8').send(renderUnbuilt())
    })
  }
  app.get<{ Params: { name: string } }>(ASSETS_PATH, async (request, reply) => {
    const asset = await dashboard.find(`assets/${request.params.name}`)
    return asset === undefined ? reply.callNotFound() : sendFile(request, reply.headers(ASSET_HEADERS), asset)
  })
}

/** Sends a file, compressed if the client accepts that, unless the client has it. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.headers({ etag: file.etag, vary: 'Accept-Encoding', 'content-type': file.type })
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const chosen = chooseCoding(
    request.headers['accept-encoding'],
    file.codings.map(({ name }) => name),
  )
  const coding = file.codings.find(({ name }) => name === chosen)
  return coding === undefined
    ? reply.send(file.content)
    : reply.header('content-encoding', coding.name).send(coding.content)
}
