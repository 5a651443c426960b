import { renderGuideList } from './guide-page.ts'
import { html, renderPage } from './page.ts'

/** Shown instead of the dashboard until it is built. */
export function renderUnbuilt(): string {
  return renderPage({
    title: 'The dashboard is not built · Bugle',
    description: 'How to build the dashboard of this server.',
    current: '/',
    contents: renderGuideList(),
    main: html`
<h1>The dashboard is not built</h1>
<p>The server is running, and its API works. <code>npm start</code> builds the dashboard before it starts the server. To build it
now, run this command in Bugle's folder and reload the page:</p>
<pre><code>npm run build -w packages/dashboard</code></pre>`,
  })
}
