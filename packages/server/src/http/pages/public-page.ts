import { type Category, type IssueStatus, PUBLIC_STATUS_NAMES, publishedStatus } from '@bugle/contract'
import type { PublicList, PublicPage } from '../../domain/reporters/public-pages.ts'
import { type Html, html, type PageLook } from './page.ts'

/** The page needs no script, so none is allowed. */
export const PUBLIC_PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type KnownItem = NonNullable<PublicPage['known']>['items'][number]
type OpenItem = NonNullable<PublicPage['open']>['items'][number]

/** What people without an account read about a project. Links are relative, because a proxy may serve Bugle below a path. */
export function renderPublicPage({ project, known, open }: PublicPage, look?: PageLook): string {
  const name = plain(project.name)
  const isFirst = known !== null && open !== null
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="description" content="Known issues and open issues of ${name}">
<title>${name} &ndash; Issues</title>
${look && renderLook(look)}
<link rel="alternate" type="application/json" href="../v1/issues?projectId=${project.slug}">
</head>
<body class="public">
<a class="skip" href="#main">Skip to content</a>
<main id="main" tabindex="-1">
<header>
<h1 dir="auto">${name}</h1>
${isFirst ? html`<p class="lead">Problems that the team knows about, and reports that are still open.</p>` : html`<p><a href="${project.slug}">All issues of <bdi>${name}</bdi></a></p>`}
</header>
${known ? renderKnown(known) : undefined}
${open ? renderOpen(open, isFirst) : undefined}
</main>
<footer><a href="../projects/${project.slug}/issues">Sign in</a> if you work on <bdi>${name}</bdi>.</footer>
</body>
</html>
`.toString()
}

function renderLook({ style, icon, font }: PageLook): Html {
  return html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${style}">
<link rel="icon" href="${icon}" type="image/svg+xml">`
}

function renderKnown({ items, nextCursor }: PublicList<KnownItem>): Html {
  return html`<section aria-labelledby="known">
<h2 id="known">Known issues</h2>
${items.length === 0 ? html`<p class="none">There are no known issues at the moment.</p>` : html`<ul class="issues known">${items.map(renderKnownItem)}</ul>`}
${renderOlder('Older known issues', 'known-cursor', nextCursor)}
</section>`
}

function renderKnownItem({ issueNumber, title, text, status, fixedIn }: KnownItem): Html {
  return html`<li id="known-${issueNumber}">
<p class="state ${publishedStatus(status)}">${describeState(status, fixedIn)}</p>
<h3 dir="auto">${plain(title)}</h3>
${text === '' ? undefined : html`<p class="text" dir="auto">${plain(text)}</p>`}
</li>
`
}

function renderOpen({ items, nextCursor }: PublicList<OpenItem>, isFirst: boolean): Html {
  return html`<section aria-labelledby="open">
<h2 id="open">Open issues</h2>
${items.length > 0 ? html`<ul class="issues">${items.map(renderOpenItem)}</ul>` : html`<p class="none">${describeNone(isFirst, nextCursor !== null)}</p>`}
${renderOlder('Older open issues', 'cursor', nextCursor)}
</section>`
}

function renderOpenItem(issue: OpenItem): Html {
  const { issueNumber, title, excerpt, status, createdAt, category, platform, appVersion, reportCount } =
    issue
  const facts = [
    `#${issueNumber}`,
    CATEGORY_WORDS[category],
    platform ? html`<bdi>${plain(platform)}</bdi>` : undefined,
    appVersion ? html`Version <bdi>${plain(appVersion)}</bdi>` : undefined,
    reportCount === 1 ? '1 report' : `${reportCount.toLocaleString('en')} reports`,
    html`<time datetime="${createdAt}">${dayOf(createdAt)}</time>`,
  ].filter((fact) => fact !== undefined)
  return html`<li id="issue-${issueNumber}">
<p class="state ${status}">${PUBLIC_STATUS_NAMES[status]}</p>
<h3 dir="auto">${plain(title)}</h3>
${excerpt ? html`<p class="text" dir="auto">${plain(excerpt)}</p>` : undefined}
<p class="facts">${facts.map((fact) => html`<span>${fact}</span> `)}</p>
</li>
`
}

/** A list of issues that match a filter may need several pages until it finds the next one. */
function describeNone(isFirst: boolean, hasMore: boolean): string {
  if (hasMore) return 'There are none on this page.'
  return isFirst ? 'There are no open issues.' : 'There are no older open issues.'
}

function renderOlder(text: string, parameter: string, cursor: string | null): Html | undefined {
  return cursor === null
    ? undefined
    : html`<p class="older"><a rel="next" href="?${parameter}=${cursor}">${text}</a></p>`
}

function describeState(status: IssueStatus, fixedIn: KnownItem['fixedIn']): Html {
  if (fixedIn === null) return html`${PUBLIC_STATUS_NAMES[publishedStatus(status)]}`
  const { appVersion, buildNumber } = fixedIn
  return html`Fixed in <bdi>${plain(appVersion)}</bdi>${buildNumber === null ? undefined : html` (build <bdi>${plain(buildNumber)}</bdi>)`}`
}

/** Text of strangers, without the characters that change the direction of what follows. */
function plain(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, '')
}

/** Created for the first page: it loads data of several megabytes. */
let days: Intl.DateTimeFormat | undefined

function dayOf(time: string): string {
  days ??= new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
  return days.format(new Date(time))
}

const CATEGORY_WORDS: Readonly<Record<Category, string>> = {
  bug: 'Bug',
  crash: 'Crash',
  performance: 'Performance',
  ui_ux: 'UI/UX',
  security: 'Security',
}
