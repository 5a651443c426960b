import { ALL_ERROR_CODES } from '@bugle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_HEADERS } from '../../answers/send-page.ts'
import { createStaticText, type StaticText, sendStaticText } from '../../answers/static-text.ts'
import type { Dashboard } from '../../pages/dashboard-files.ts'
import { addressOfGuide, GUIDES, REFERENCE_PATH } from '../../pages/guides.ts'
import { SEARCH_INDEX_PATH } from '../../pages/page.ts'
import { createDocumentRenderer } from '../../pages/rendering/document-renderer.ts'

/** Addresses of the documentation, which are not operations. */
export const DOCUMENT_PATHS = [
  '/openapi.json',
  '/docs',
  REFERENCE_PATH,
  '/docs/:name',
  '/problems',
  '/problems/:code',
  SEARCH_INDEX_PATH,
] as const

interface DocumentsDependencies {
  readonly dashboard: Pick<Dashboard, 'look'>
  /** The server's address in examples. */
  readonly publicUrl: string | null
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }

export function bindDocuments(app: FastifyInstance, { dashboard, publicUrl }: DocumentsDependencies): void {
  const renderer = createDocumentRenderer()
  app.addHook('onClose', () => renderer.close())
  /** Documents that were requested before, ready to be sent. */
  const texts = new Map<string, Promise<StaticText | undefined>>()

  async function render(path: string): Promise<StaticText | undefined> {
    const look = await dashboard.look()
    // Until the dashboard is built, each request checks again.
    if (look === undefined) texts.delete(path)
    const text = await renderer.render({ path, publicUrl, look })
    return text === undefined ? undefined : createStaticText(text)
  }

  /** Only of documents that exist, so that their number is limited. */
  function find(path: string): Promise<StaticText | undefined> {
    const known = texts.get(path)
    if (known !== undefined) return known
    const rendering = render(path)
    texts.set(path, rendering)
    rendering.catch(() => texts.delete(path))
    return rendering
  }

  async function send(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const text = EXISTING.has(path) ? await find(path) : undefined
    if (text === undefined) {
      reply.callNotFound()
      return reply
    }
    const headers = path.endsWith('.json') ? JSON_HEADERS : PAGE_HEADERS
    return sendStaticText(request, reply.headers(headers), text)
  }

  for (const path of DOCUMENT_PATHS)
    app.get(path, (request, reply) => send(request.url.split('?', 1).join(''), request, reply))
}

/** The address of every document. */
const EXISTING: ReadonlySet<string> = new Set([
  ...DOCUMENT_PATHS.filter((path) => !path.includes(':')),
  ...GUIDES.map(addressOfGuide),
  ...ALL_ERROR_CODES.map((code) => `/problems/${code}`),
])
