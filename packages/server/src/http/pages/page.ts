import { createHash } from 'node:crypto'
import { REFERENCE_PATH } from './guides.ts'
import { PAGE_STYLE } from './page-style.ts'

/** What a page may load: its own inline style, known by its hash, and nothing else. */
export const PAGE_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Text that is HTML already. The class stays in this file, so that only {@link html} makes one. */
class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

export type { Html }

/** What may stand in a {@link html} template; `undefined` leaves nothing. */
export type Fragment = string | number | Html | undefined | readonly Fragment[]

/** A template whose values are escaped, unless they come from this template themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toMarkup)))
}

/** Text as it must be written between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

interface Page {
  readonly title: string
  /** One sentence for search results and previews. */
  readonly description: string
  /** The address of the page among those in the header. */
  readonly current: string
  /** Links within the page, beside its content. */
  readonly contents?: Html
  readonly main: Html
}

/** A whole page: the header all pages share, then the contents and the main part. */
export function renderPage({ title, description, current, contents, main }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/docs">Bugle</a>
<nav aria-label="Documentation">${HEADER_LINKS.map((link) => renderHeaderLink(link, current))}</nav>
</header>
<div class="${contents ? 'columns' : 'column'}">
${contents}
<main id="main" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`.toString()
}

const HEADER_LINKS = [
  { href: '/docs', text: 'Guides' },
  { href: REFERENCE_PATH, text: 'Reference' },
  { href: '/problems', text: 'Problems' },
  { href: '/openapi.json', text: 'OpenAPI' },
] as const

function renderHeaderLink({ href, text }: (typeof HEADER_LINKS)[number], current: string): Html {
  return href === current
    ? html`<a href="${href}" aria-current="page">${text}</a>`
    : html`<a href="${href}">${text}</a>`
}

function toMarkup(value: Fragment): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(toMarkup).join('')
  return escapeHtml(String(value))
}
