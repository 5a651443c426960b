import {
  COMMON_ERRORS,
  type Endpoint,
  ERROR_CODES,
  type ErrorCode,
  endpoints,
  errorsOf,
} from '@bugle/contract'
import { exampleOfProblem } from '../../openapi/openapi-problems.ts'
import { jsonBlock } from '../code.ts'
import { renderGuideList } from '../guide-page.ts'
import { REFERENCE_PATH } from '../guides.ts'
import { type Html, html, type Page } from '../page.ts'
import { prose } from '../prose.ts'
import { methodTag, statusTag } from './badges.ts'
import { problemTable } from './reference-vocabulary.ts'

/** The page at `/problems`: every problem the API can respond with. */
export function renderProblemIndex(): Page {
  return {
    title: 'Problems – Bugle',
    description: 'Every problem that the Bugle API can respond with.',
    current: '/problems',
    contents: renderGuideList(),
    main: html`<h1>Problems</h1>
<p class="lead">Every 4xx and 5xx response is one of these, as <code>application/problem+json</code>.</p>
${problemTable()}`,
  }
}

/** The page at `/problems/{code}`, which is the `type` of a problem. */
export function renderProblemPage(code: ErrorCode): Page {
  const { status, title, help } = ERROR_CODES[code]
  return {
    title: `${title} – Bugle`,
    description: help,
    current: '/problems/…',
    contents: renderGuideList(),
    main: html`<h1>${title}</h1>
<p>${statusTag(status)} <code>${code}</code></p>
<p>${prose(help)}</p>
<h2>Returned by</h2>
${renderOrigins(code)}
<h2>Example</h2>
${jsonBlock(exampleOfProblem(code))}
<p><a href="/problems">All problems</a></p>`,
  }
}

const ANY_OPERATION: ReadonlySet<ErrorCode> = new Set(COMMON_ERRORS)

function renderOrigins(code: ErrorCode): Html {
  if (ANY_OPERATION.has(code)) return html`<p>Any operation.</p>`
  const origins = Object.values<Endpoint>(endpoints).filter((endpoint) => errorsOf(endpoint).includes(code))
  if (origins.length === 0) return html`<p>The server, before it matches the request to an operation.</p>`
  return html`<ul class="plain origins">
${origins.map(renderOrigin)}</ul>`
}

function renderOrigin({ name, method, path, summary }: Endpoint): Html {
  return html`<li>${methodTag(method.toLowerCase())} <code>${path}</code> <a href="${REFERENCE_PATH}#${name}">${summary}</a></li>
`
}
