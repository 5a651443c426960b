import type { FastifyInstance } from 'fastify'
import { createStaticText, type StaticText, sendStaticText } from '../../answers/static-text.ts'
import { html } from '../../pages/page.ts'

/** Where people read their own reports without the app. The link has their secret behind the `#`, which browsers do not send. */
export const REPORTS_PAGE_PATH = '/r'

/** Nothing is requested from other origins, and no other page can learn the address or reference the window. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-cache',
}

/** The address of the script is relative, because a proxy may serve Bugle below a path. */
const PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>My reports</title>
<script type="module" src="sdk/bugle-reports-page.mjs"></script>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`.toString()

/** Serves the page. It is the same for everyone: its script, a file of the SDK, reads the link. */
export function bindReportsPage(app: FastifyInstance): void {
  let text: Promise<StaticText> | undefined
  app.get(REPORTS_PAGE_PATH, async (request, reply) => {
    text ??= createStaticText(PAGE)
    return sendStaticText(request, reply.headers(HEADERS), await text)
  })
}
