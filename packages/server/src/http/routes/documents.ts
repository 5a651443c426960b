import { ALL_ERROR_CODES } from '@bugle/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { VERSION } from '../../version.ts'
import { describeApi } from '../openapi.ts'
import { renderGuide } from '../pages/guide-page.ts'
import { GUIDE_INDEX, GUIDES, REFERENCE_PATH } from '../pages/guides.ts'
import { PAGE_CONTENT_SECURITY_POLICY } from '../pages/page.ts'
import { renderProblemIndex, renderProblemPage } from '../pages/problem-pages.ts'
import { renderReference } from '../pages/reference-page.ts'
import { createStaticText, sendStaticText } from '../static-text.ts'

/** Addresses that describe the service; they are no operations of it. */
export const DOCUMENT_PATHS = [
  '/openapi.json',
  '/docs',
  REFERENCE_PATH,
  '/docs/:name',
  '/problems',
  '/problems/:code',
] as const

export function bindDocuments(app: FastifyInstance): void {
  const [openApiPath, docsPath, referencePath, guidePath, problemsPath, problemPath] = DOCUMENT_PATHS
  const document = once(() => describeApi({ version: VERSION }))
  const documentText = once(() => createStaticText(JSON.stringify(document())))
  const reference = once(() => renderReference(document()))
  const guide = rememberPages(renderGuide)

  app.get(openApiPath, async (request, reply) => {
    const text = await documentText()
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' })
    return sendStaticText(request, reply, text)
  })
  app.get(referencePath, async (_, reply) => sendPage(reply, reference()))
  app.get(docsPath, async (_, reply) => {
    const page = await guide(GUIDE_INDEX)
    return page === undefined ? reply.callNotFound() : sendPage(reply, page)
  })
  app.get<{ Params: { name: string } }>(guidePath, async (request, reply) => {
    const asked = GUIDES.find(({ name }) => name === request.params.name)
    const page = asked && (await guide(asked))
    return page === undefined ? reply.callNotFound() : sendPage(reply, page)
  })
  app.get(problemsPath, async (_, reply) => sendPage(reply, renderProblemIndex()))
  app.get<{ Params: { code: string } }>(problemPath, async (request, reply) => {
    const code = ALL_ERROR_CODES.find((known) => known === request.params.code)
    return code === undefined ? reply.callNotFound() : sendPage(reply, renderProblemPage(code))
  })
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  reply.header('content-security-policy', PAGE_CONTENT_SECURITY_POLICY)
  return send(reply, 'text/html; charset=utf-8', page)
}

function send(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('content-type', type).header('cache-control', 'no-cache').send(text)
}

/** Made when it is first asked for: starting up stays quick. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Keeps what was made. What could not be made is tried again at the next request. */
function rememberPages<K>(make: (key: K) => Promise<string | undefined>) {
  const made = new Map<K, string>()
  return async (key: K): Promise<string | undefined> => {
    const page = made.get(key) ?? (await make(key))
    if (page !== undefined) made.set(key, page)
    return page
  }
}
