import { html, renderPage } from './page.ts'

/** Stands in for the dashboard as long as nobody has built it. */
export function renderUnbuilt(): string {
  return renderPage({
    title: 'The dashboard is not built · Bugle',
    description: 'How to build the dashboard of this server.',
    current: '/',
    main: html`
<h1>The dashboard is not built</h1>
<p>The server runs, and its API works. The dashboard is made when the server is started with <code>npm start</code>; to make it
now, run this in the folder of Bugle and reload the page:</p>
<pre><code>npm run build -w packages/dashboard</code></pre>`,
  })
}
