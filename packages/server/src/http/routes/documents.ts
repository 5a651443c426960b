import { ALL_ERROR_CODES } from '@bugle/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { VERSION } from '../../version.ts'
import { describeApi } from '../openapi.ts'
import { PAGE_CONTENT_SECURITY_POLICY } from '../pages/page.ts'
import { renderProblemIndex, renderProblemPage } from '../pages/problem-pages.ts'
import { renderReference } from '../pages/reference-page.ts'

/** Addresses that describe the service; they are no operations of it. */
export const DOCUMENT_PATHS = ['/openapi.json', '/docs', '/problems', '/problems/:code'] as const

export function bindDocuments(app: FastifyInstance): void {
  const [openApiPath, docsPath, problemsPath, problemPath] = DOCUMENT_PATHS
  const document = once(() => describeApi({ version: VERSION }))
  const documentText = once(() => JSON.stringify(document()))
  const reference = once(() => renderReference(document()))

  app.get(openApiPath, async (_, reply) => send(reply, 'application/json; charset=utf-8', documentText()))
  app.get(docsPath, async (_, reply) => sendPage(reply, reference()))
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
