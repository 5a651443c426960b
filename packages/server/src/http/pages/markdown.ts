import type { Token, Tokens } from 'marked'
import { codeBlock, codeName } from './code.ts'
import { type Fragment, type Html, html } from './page.ts'
import { table } from './table.ts'

/** A document as HTML, with its metadata. */
export interface RenderedMarkdown {
  readonly title: string
  /** The first paragraph, as plain text. */
  readonly summary: string
  readonly headings: readonly Heading[]
  readonly main: Html
}

export interface Heading {
  readonly id: string
  readonly text: string
  readonly depth: number
}

interface Place {
  /** The address of a link; `undefined` leaves only its text. */
  readonly addressOf: (link: string) => string | undefined
  /** The server's address in examples, if known. */
  readonly publicUrl: string | null
}

interface Context extends Place {
  readonly ids: Map<string, number>
  readonly headings: Heading[]
}

/**
 * Renders Markdown with templates that escape everything. HTML is shown as text, comments are
 * left out, and so are images: a page loads nothing.
 */
export async function renderMarkdown(text: string, place: Place): Promise<RenderedMarkdown> {
  // Loaded at the first request for a guide: this keeps the start fast.
  const { lexer } = await import('marked')
  const tokens = lexer(text)
  const around: Context = { ...place, ids: new Map(), headings: [] }
  const main = html`${tokens.map((token) => block(token, around))}`
  const first = tokens.find((token) => token.type === 'paragraph')
  return {
    title: around.headings[0]?.text ?? '',
    summary: first === undefined ? '' : plainText(first),
    headings: around.headings,
    main,
  }
}

/** A heading with what follows it, up to the next one. */
export interface Section extends Heading {
  readonly content: readonly Token[]
}

/** The sections of a document, with the anchors that its page gives them. */
export function readSections(tokens: readonly Token[]): readonly Section[] {
  const ids = new Map<string, number>()
  const sections: (Heading & { readonly content: Token[] })[] = []
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, tokens: inner } = token as Tokens.Heading
      const text = inner.map(plainText).join('')
      sections.push({ id: anchorOf(text, ids), depth, text, content: [] })
    } else sections.at(-1)?.content.push(token)
  }
  return sections
}

/** The anchor that code hosts give a heading; numbered if a heading occurs again. */
function anchorOf(heading: string, ids: Map<string, number>): string {
  const base = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const count = ids.get(base) ?? 0
  ids.set(base, count + 1)
  return count === 0 ? base : `${base}-${count}`
}

function block(token: Token, around: Context): Fragment {
  switch (token.type) {
    case 'heading':
      return heading(token as Tokens.Heading, around)
    case 'paragraph':
      return html`<p>${inline(token.tokens, around)}</p>\n`
    case 'list':
      return list(token as Tokens.List, around)
    case 'table':
      return wideTable(token as Tokens.Table, around)
    case 'code':
      return html`${codeBlock(token as Tokens.Code, around.publicUrl)}\n`
    case 'blockquote':
      return html`<blockquote>${token.tokens?.map((inner) => block(inner, around))}</blockquote>\n`
    case 'hr':
      return html`<hr>\n`
    case 'space':
      return undefined
    default:
      return inlineToken(token, around)
  }
}

function heading({ depth, tokens }: Tokens.Heading, around: Context): Html {
  const text = tokens.map(plainText).join('')
  const id = anchorOf(text, around.ids)
  around.headings.push({ id, depth, text })
  const content = inline(tokens, around)
  if (depth === 1) return html`<h1 id="${id}">${content}</h1>\n`
  const link = html`<a href="#${id}">${content}</a>`
  return depth === 2 ? html`<h2 id="${id}">${link}</h2>\n` : html`<h3 id="${id}">${link}</h3>\n`
}

function list({ ordered, start, items }: Tokens.List, around: Context): Html {
  const entries = items.map(({ tokens }) => html`<li>${tokens.map((token) => block(token, around))}</li>\n`)
  if (!ordered) return html`<ul>\n${entries}</ul>\n`
  return html`<ol start="${start || 1}">\n${entries}</ol>\n`
}

function wideTable({ header, rows }: Tokens.Table, around: Context): Html {
  return table({
    caption: around.headings.at(-1)?.text ?? '',
    headings: header.map(({ tokens }) => tokens.map(plainText).join('')),
    rows: rows.map((cells) => cells.map(({ tokens }) => inline(tokens, around))),
    // With two columns, the second needs no label.
    ...(header.length > 2 && { kind: 'labelled' }),
  })
}

function inline(tokens: readonly Token[] | undefined, around: Context): Fragment {
  return tokens?.map((token) => inlineToken(token, around))
}

function inlineToken(token: Token, around: Context): Fragment {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inline(token.tokens, around)}</strong>`
    case 'em':
      return html`<em>${inline(token.tokens, around)}</em>`
    case 'del':
      return html`<del>${inline(token.tokens, around)}</del>`
    case 'codespan':
      return codeName(token.text)
    case 'br':
      return html`<br>`
    case 'link':
      return link(token as Tokens.Link, around)
    case 'html':
      return token.raw.startsWith('<!--') ? undefined : token.raw
    default:
      return 'tokens' in token ? inline(token.tokens, around) : plainText(token)
  }
}

function link({ href, tokens }: Tokens.Link, around: Context): Fragment {
  const address = around.addressOf(href)
  const content = inline(tokens, around)
  return address === undefined ? content : html`<a href="${address}">${content}</a>`
}

function plainText(token: Token): string {
  const { tokens, text, raw } = token as { tokens?: Token[]; text?: string; raw: string }
  return tokens?.map(plainText).join('') ?? text ?? raw
}
