import type { FastifyReply } from 'fastify'
import type { Dashboard } from '../pages/dashboard-files.ts'
import { PAGE_CONTENT_SECURITY_POLICY, type Page, renderPage } from '../pages/page.ts'

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_CONTENT_SECURITY_POLICY,
  'cache-control': 'no-cache',
}

/** Sends an error page in the style of the dashboard. It is not cached, here or in the browser. */
export type SendRefusal = (reply: FastifyReply, status: number, page: Page) => Promise<FastifyReply>

export function createRefusalSender(dashboard: Pick<Dashboard, 'look'>): SendRefusal {
  return async (reply, status, page) => {
    const text = renderPage(page, await dashboard.look())
    return reply.code(status).headers(PAGE_HEADERS).header('cache-control', 'no-store').send(text)
  }
}
