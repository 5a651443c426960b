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

/** The page of a guide; `undefined` where the documents were not installed. Its examples name the public URL, if there is one. */
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

/** Links to every guide; the current one with the parts it has. */
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
${guides.map((guide) =>
  guide === current
    ? html`<li class="here"><a href="#main" aria-current="page">${guide.title}</a>${renderParts(headings)}</li>\n`
    : html`<li><a href="${addressOfGuide(guide)}">${guide.title}</a></li>\n`,
)}</ul>
`
}

function renderParts(headings: readonly Heading[]): Html | undefined {
  const parts = headings.filter(({ depth }) => depth === 2)
  if (parts.length === 0) return undefined
  return html`<ul>
${parts.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>`
}
