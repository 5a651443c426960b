import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listen } from './listen.ts'

/** A web site that serves the built SDK, and the requested pages. */
export interface Site extends AsyncDisposable {
  readonly url: string
  /** The address of a page with this content and these headers. */
  page(html: string, headers?: Readonly<Record<string, string>>): string
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.html': 'text/html',
}

export async function startSite(sdkFolder: string): Promise<Site> {
  const pages = new Map<
    string,
    { readonly html: string; readonly headers: Readonly<Record<string, string>> }
  >()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const page = pages.get(path)
    if (page !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers }).end(page.html)
      return
    }
    try {
      const text = readFileSync(join(sdkFolder, 'dist', path.replace(/^\/sdk/, '')), 'utf8')
      response
        .writeHead(200, {
          'content-type': TYPES[path.slice(path.lastIndexOf('.'))] ?? 'text/plain',
          // As the server does, for pages of other origins and of none.
          'access-control-allow-origin': '*',
        })
        .end(text)
    } catch {
      // Browsers request icons and similar files.
      response.writeHead(404).end()
    }
  })
  const url = await listen(server)
  return {
    url,
    page(html, headers = {}) {
      const path = `/page-${pages.size}`
      pages.set(path, { html, headers })
      return url + path
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
