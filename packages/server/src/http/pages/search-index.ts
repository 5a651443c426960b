import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ALL_ERROR_CODES, ERROR_CODES } from '@bugle/contract'
import type { Token, Tokens } from 'marked'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { addressOfGuide, findDocuments, GUIDES, type Guide, REFERENCE_PATH } from './guides.ts'
import { readSections } from './markdown.ts'

/** A part of the documentation that the search can find. */
export interface SearchEntry {
  readonly title: string
  readonly path: string
  /** The title of the page it is on. */
  readonly page: string
  readonly text: string
}

/** Only their headings are indexed, which keeps the index small: they are long and rarely read, or each error has its own entry. */
const HEADINGS_ONLY = /^(?:decisions|changelog|errors$)/

/** The search index: the sections of the guides, the operations and the problems. */
export async function buildSearchIndex(document: OpenApiDocument): Promise<readonly SearchEntry[]> {
  const root = findDocuments()
  const guides = root === undefined ? [] : await Promise.all(GUIDES.map((guide) => sectionsOf(root, guide)))
  return [...guides.flat(), ...operationsOf(document), ...problems()]
}

async function sectionsOf(root: string, guide: Guide): Promise<readonly SearchEntry[]> {
  const { lexer } = await import('marked')
  const tokens = lexer(await readFile(join(root, guide.file), 'utf8'))
  const isWhole = !HEADINGS_ONLY.test(guide.name)
  return readSections(tokens).map(({ id, text, depth, content }) => ({
    title: depth === 1 ? guide.title : text,
    path: addressOfGuide(guide) + (depth === 1 ? '' : `#${id}`),
    page: guide.title,
    text: isWhole ? squeeze(content.map(wordsOf).join(' ')) : '',
  }))
}

/** The words of a block, also those in lists, tables and code. */
function wordsOf(token: Token): string {
  if (token.type === 'html') return ''
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows]
      .flat()
      .map(({ tokens }) => tokens.map(wordsOf).join(''))
      .join(' ')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(wordsOf).join(' ')
  const { tokens, text, raw } = token as { tokens?: Token[]; text?: string; raw: string }
  return tokens?.map(wordsOf).join('') ?? text ?? raw
}

function operationsOf({ paths }: OpenApiDocument): readonly SearchEntry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, summary, description }]) => ({
      title: summary,
      path: `${REFERENCE_PATH}#${operationId}`,
      page: 'API reference',
      text: squeeze(`${method.toUpperCase()} ${path} ${description.replaceAll('`', '')}`),
    })),
  )
}

function problems(): readonly SearchEntry[] {
  return ALL_ERROR_CODES.map((code) => ({
    title: code,
    path: `/problems/${code}`,
    page: 'Problems',
    text: squeeze(`${ERROR_CODES[code].title}. ${ERROR_CODES[code].help.replaceAll('`', '')}`),
  }))
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
