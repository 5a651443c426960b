import { ALL_ERROR_CODES } from '@bugle/contract'
import { VERSION } from '../../../version.ts'
import { describeApi } from '../../openapi/openapi.ts'
import { renderGuide } from '../guide-page.ts'
import { addressOfGuide, GUIDES, REFERENCE_PATH } from '../guides.ts'
import { type Page, type PageLook, renderPage, SEARCH_INDEX_PATH } from '../page.ts'
import { renderProblemIndex, renderProblemPage } from '../reference/problem-pages.ts'
import { renderReference } from '../reference/reference-page.ts'
import { buildSearchIndex } from '../search-index.ts'

/** A document, by its address, and what it looks like here. */
export interface DocumentRequest {
  readonly path: string
  /** The server's address in examples. */
  readonly publicUrl: string | null
  readonly look: PageLook | undefined
}

/** The text of a document; `undefined` if there is none at this address, or the guides are not installed. */
export async function renderDocument(request: DocumentRequest): Promise<string | undefined> {
  const { path, look } = request
  if (path === '/openapi.json') return JSON.stringify(describe())
  if (path === SEARCH_INDEX_PATH) return JSON.stringify(await buildSearchIndex(describe()))
  const page = await pageAt(request)
  return page && renderPage(page, look)
}

async function pageAt({ path, publicUrl }: DocumentRequest): Promise<Page | undefined> {
  if (path === REFERENCE_PATH) return renderReference(describe(), publicUrl)
  if (path === '/problems') return renderProblemIndex()
  const code = ALL_ERROR_CODES.find((known) => path === `/problems/${known}`)
  if (code !== undefined) return renderProblemPage(code)
  const guide = GUIDES.find((one) => path === addressOfGuide(one))
  return guide && renderGuide(guide, publicUrl)
}

function describe() {
  return describeApi({ version: VERSION })
}
