import { endpoints } from '@bugle/contract'
import { sentryEndpoints } from '@bugle/contract/sentry'
import { settingsEndpoints } from '@bugle/contract/settings'
import type { FastifyRequest } from 'fastify'
import { prefersMedia } from '../answers/negotiate.ts'
import { PROBLEM_TYPE } from '../answers/problem.ts'
import { renderGuideList } from './guide-page.ts'
import { html, type Page } from './page.ts'

/** The first parts of addresses that belong to the API: there the caller expects a problem document. */
const API_ROOTS: ReadonlySet<string> = new Set(
  Object.values({ ...endpoints, ...settingsEndpoints, ...sentryEndpoints }).map(({ path }) =>
    firstPart(path),
  ),
)

/** Whether a browser requests an address outside of the API, so that a person will read the response. */
export function isAskedByPerson({ method, url, headers }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    !API_ROOTS.has(firstPart(url)) &&
    prefersMedia(headers.accept, 'text/html', PROBLEM_TYPE) &&
    prefersMedia(headers.accept, 'text/html', 'application/json')
  )
}

/** It repeats nothing from the request. */
export function renderNotFound(): Page {
  return {
    title: 'Page not found – Bugle',
    description: 'There is no page at this address.',
    current: '',
    contents: renderGuideList(),
    main: html`<div class="not-found">
<p class="code">404</p>
<h1>Page not found</h1>
<p>There is no page at this address. The link may be wrong or out of date.</p>
<p class="ways"><a class="button" href="/">Open the dashboard</a> <a href="/docs">Read the documentation</a></p>
</div>`,
  }
}

function firstPart(path: string): string {
  return path.split(/[/?#]/, 2)[1] ?? ''
}
