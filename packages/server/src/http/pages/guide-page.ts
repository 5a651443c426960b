import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  addressOfGuide,
  findDocuments,
  GUIDE_GROUPS,
  type Guide,
  type GuideGroup,
  REFERENCE_PATH,
  resolveLink,
} from './guides.ts'
import { type Heading, renderMarkdown } from './markdown.ts'
import { type Html, html, type Page } from './page.ts'

/** The page of a guide; `undefined` if the documents are not installed. Its examples use the public URL, if there is one. */
export async function renderGuide(guide: Guide, publicUrl: string | null): Promise<Page | undefined> {
  const root = findDocuments()
  if (root === undefined) return undefined
  const text = await readFile(join(root, guide.file), 'utf8')
  const { title, summary, headings, main } = await renderMarkdown(text, {
    addressOf: (link) => resolveLink(guide.file, link),
    publicUrl,
  })
  return {
    title: `${title} – Bugle`,
    description: summary,
    current: addressOfGuide(guide),
    contents: renderGuideList(guide, headings),
    main: html`<article class="guide">\n${main}</article>`,
  }
}

/** Links to every guide; the current one with its sections. */
export function renderGuideList(current?: Guide, headings: readonly Heading[] = []): Html {
  return html`${GUIDE_GROUPS.map((group) => renderGroup(group, current, headings))}
<ul>
<li class="group">Look up</li>
<li><a href="${REFERENCE_PATH}">API reference</a></li>
<li><a href="/problems">Problems</a></li>
</ul>`
}

function renderGroup(
  { title, guides }: GuideGroup,
  current: Guide | undefined,
  headings: readonly Heading[],
): Html {
  return html`<ul>
<li class="group">${title}</li>
${guides.map((guide) => renderEntry(guide, current, headings))}</ul>
`
}

function renderEntry(guide: Guide, current: Guide | undefined, headings: readonly Heading[]): Html {
  if (guide === current)
    return html`<li class="here"><a href="#main" aria-current="page">${guide.title}</a>${renderPages(guide, current) ?? renderParts(headings)}</li>\n`
  const link = html`<a href="${addressOfGuide(guide)}">${guide.title}</a>`
  return current !== undefined && guide.pages?.includes(current)
    ? html`<li class="above">${link}${renderPages(guide, current)}</li>\n`
    : html`<li>${link}</li>\n`
}

/** Links to the pages below a guide; `undefined` if it has none. */
function renderPages({ pages }: Guide, current: Guide): Html | undefined {
  if (pages === undefined) return undefined
  return html`<ul>
${pages.map((page) =>
  page === current
    ? html`<li class="here"><a href="#main" aria-current="page">${page.title}</a></li>\n`
    : html`<li><a href="${addressOfGuide(page)}">${page.title}</a></li>\n`,
)}</ul>`
}

function renderParts(headings: readonly Heading[]): Html | undefined {
  const parts = headings.filter(({ depth }) => depth === 2)
  if (parts.length === 0) return undefined
  return html`<ul>
${parts.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>`
}
