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
import { type Html, html, renderPage } from './page.ts'

/** The page of a guide; `undefined` where the documents were not installed. */
export async function renderGuide(guide: Guide): Promise<string | undefined> {
  const root = findDocuments()
  if (root === undefined) return undefined
  const text = await readFile(join(root, guide.file), 'utf8')
  const { title, summary, headings, main } = await renderMarkdown(text, (link) =>
    resolveLink(guide.file, link),
  )
  return renderPage({
    title: `${title} – Bugle`,
    description: summary,
    current: addressOfGuide(guide),
    contents: renderContents(guide, headings),
    main: html`<article class="guide">\n${main}</article>`,
  })
}

function renderContents(current: Guide, headings: readonly Heading[]): Html {
  return html`<nav class="contents guides" aria-label="Guides">
${GUIDE_GROUPS.map((group) => renderGroup(group, current, headings))}
<ul class="elsewhere">
<li class="group"><span>Look up</span></li>
<li><a href="${REFERENCE_PATH}">API reference</a></li>
<li><a href="/problems">Problems</a></li>
</ul>
</nav>`
}

function renderGroup({ title, guides }: GuideGroup, current: Guide, headings: readonly Heading[]): Html {
  const isHere = guides.includes(current)
  return html`<ul${isHere ? undefined : html` class="elsewhere"`}>
<li class="group${isHere ? ' elsewhere' : ''}"><span>${title}</span></li>
${guides.map((guide) =>
  guide === current
    ? html`<li class="here"><a href="#main" aria-current="page">${guide.title}</a>${renderParts(headings)}</li>\n`
    : html`<li${isHere ? html` class="elsewhere"` : undefined}><a href="${addressOfGuide(guide)}">${guide.title}</a></li>\n`,
)}</ul>
`
}

function renderParts(headings: readonly Heading[]): Html | undefined {
  const parts = headings.filter(({ depth }) => depth === 2)
  if (parts.length === 0) return undefined
  return html`<ul>
${parts.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>`
}
