import { ALL_ERROR_CODES } from '@bugle/contract'
import type { FastifyInstance } from 'fastify'
import { VERSION } from '../../../version.ts'
import type { PageSender } from '../../answers/send-page.ts'
import { createStaticText, sendStaticText } from '../../answers/static-text.ts'
import { describeApi } from '../../openapi/openapi.ts'
import { renderGuide } from '../../pages/guide-page.ts'
import { GUIDE_INDEX, GUIDES, REFERENCE_PATH } from '../../pages/guides.ts'
import { SEARCH_INDEX_PATH } from '../../pages/page.ts'
import { renderProblemIndex, renderProblemPage } from '../../pages/reference/problem-pages.ts'
import { renderReference } from '../../pages/reference/reference-page.ts'
import { buildSearchIndex } from '../../pages/search-index.ts'

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
  readonly pages: PageSender
  /** The server's address in examples. */
  readonly publicUrl: string | null
}

export function bindDocuments(app: FastifyInstance, { pages, publicUrl }: DocumentsDependencies): void {
  const [openApiPath, docsPath, referencePath, guidePath, problemsPath, problemPath, searchPath] =
    DOCUMENT_PATHS
  const document = once(() => describeApi({ version: VERSION }))
  const documentText = once(() => createStaticText(JSON.stringify(document())))
  const searchIndex = once(async () => createStaticText(JSON.stringify(await buildSearchIndex(document()))))

  for (const [path, text] of [
    [openApiPath, documentText],
    [searchPath, searchIndex],
  ] as const) {
    app.get(path, async (request, reply) => {
      reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' })
      return sendStaticText(request, reply, await text())
    })
  }
  app.get(referencePath, async (request, reply) =>
    pages.send(request, reply, referencePath, () => renderReference(document(), publicUrl)),
  )
  app.get(docsPath, async (request, reply) =>
    pages.send(request, reply, docsPath, () => renderGuide(GUIDE_INDEX, publicUrl)),
  )
  app.get<{ Params: { name: string } }>(guidePath, async (request, reply) => {
    const guide = GUIDES.find(({ name }) => name === request.params.name)
    if (guide === undefined) return reply.callNotFound()
    return pages.send(request, reply, `${docsPath}/${guide.name}`, () => renderGuide(guide, publicUrl))
  })
  app.get(problemsPath, async (request, reply) =>
    pages.send(request, reply, problemsPath, renderProblemIndex),
  )
  app.get<{ Params: { code: string } }>(problemPath, async (request, reply) => {
    const code = ALL_ERROR_CODES.find((known) => known === request.params.code)
    if (code === undefined) return reply.callNotFound()
    return pages.send(request, reply, `${problemsPath}/${code}`, () => renderProblemPage(code))
  })
}

/** Created on first use, which keeps the start fast. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
