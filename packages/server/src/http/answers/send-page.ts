import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dashboard } from '../pages/dashboard-files.ts'
import { PAGE_CONTENT_SECURITY_POLICY, type Page, renderPage } from '../pages/page.ts'
import { createStaticText, type StaticText, sendStaticText } from './static-text.ts'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_CONTENT_SECURITY_POLICY,
  'cache-control': 'no-cache',
}

type MakePage = () => Page | undefined | Promise<Page | undefined>

/** Sends the documentation pages, in the style of the dashboard. */
export interface PageSender {
  /** Sends a page by its name; `make` is called once. 404 if it returns nothing. */
  send(request: FastifyRequest, reply: FastifyReply, name: string, make: MakePage): Promise<FastifyReply>
  /** Sends an error page. It is not cached, here or in the browser. */
  sendRefusal(reply: FastifyReply, status: number, page: Page): Promise<FastifyReply>
}

export function createPageSender(dashboard: Dashboard): PageSender {
  const kept = new Map<string, StaticText>()

  return {
    async send(request, reply, name, make) {
      const text = kept.get(name) ?? (await render(name, make))
      if (text === undefined) {
        reply.callNotFound()
        return reply
      }
      return sendStaticText(request, reply.headers(HEADERS), text)
    },

    async sendRefusal(reply, status, page) {
      const text = renderPage(page, await dashboard.look())
      return reply.code(status).headers(HEADERS).header('cache-control', 'no-store').send(text)
    },
  }

  async function render(name: string, make: MakePage): Promise<StaticText | undefined> {
    const page = await make()
    if (page === undefined) return undefined
    const look = await dashboard.look()
    const text = await createStaticText(renderPage(page, look))
    // Until the dashboard is built, each request checks again.
    if (look !== undefined) kept.set(name, text)
    return text
  }
}
