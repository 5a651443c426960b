import { REFERENCE_PATH } from './guides.ts'

/** What a page may load: files of this server, and nothing else. */
export const PAGE_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Text that is already HTML. The class is private to this file, so that only {@link html} creates one. */
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

/** The values allowed in an {@link html} template; `undefined` renders nothing. */
export type Fragment = string | number | Html | undefined | readonly Fragment[]

/** A template whose values are escaped, unless they are HTML from this template. */
export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toMarkup)))
}

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export interface Page {
  readonly title: string
  /** One sentence for search results and previews. */
  readonly description: string
  /** The address of the page among those in the header. */
  readonly current: string
  /** Links to other pages and within this one, next to its content; behind a button on a narrow screen. */
  readonly contents: Html
  readonly main: Html
}

/** Paths of the built style, script and font files. */
export interface PageLook {
  readonly style: string
  readonly script: string
  readonly theme: string
  readonly icon: string
  readonly font: string
}

/** A whole page: the header that all pages share, then the contents and the main part. Readable without its style sheet. */
export function renderPage({ title, description, current, contents, main }: Page, look?: PageLook): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
${look && renderLook(look)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<button class="menu-button" type="button" popovertarget="contents">Menu</button>
<a class="brand" href="/docs">${look && html`<img src="${look.icon}" alt="" width="22" height="22">`}Bugle <span>Docs</span></a>
<nav aria-label="Documentation">${HEADER_LINKS.map((link) => renderHeaderLink(link, current))}</nav>
<div class="search" role="search" data-index="${SEARCH_INDEX_PATH}" hidden></div>
<a class="bar-link to-dashboard" href="/">Dashboard</a>
</header>
<div class="columns">
<nav class="contents" id="contents" aria-label="Contents" popover>
<ul class="site">
${HEADER_LINKS.map((link) => html`<li>${renderHeaderLink(link, current)}</li>\n`)}</ul>
${contents}
</nav>
<main id="main" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`.toString()
}

export const SEARCH_INDEX_PATH = '/docs/search.json'

const HEADER_LINKS = [
  { href: '/docs', text: 'Guides' },
  { href: REFERENCE_PATH, text: 'Reference' },
  { href: '/problems', text: 'Problems' },
  { href: '/openapi.json', text: 'OpenAPI' },
] as const

/** The theme script comes first, so that the page is painted in the chosen colours. */
function renderLook({ style, script, theme, icon, font }: PageLook): Html {
  return html`<script src="${theme}"></script>
<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${style}">
<link rel="icon" href="${icon}" type="image/svg+xml">
<script src="${script}" type="module"></script>`
}

function renderHeaderLink({ href, text }: (typeof HEADER_LINKS)[number], current: string): Html {
  return href === current
    ? html`<a class="bar-link" href="${href}" aria-current="page">${text}</a>`
    : html`<a class="bar-link" href="${href}">${text}</a>`
}

function toMarkup(value: Fragment): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(toMarkup).join('')
  return escapeHtml(String(value))
}
