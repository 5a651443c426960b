import { type EventFeed, endpoints, type IssuePage, MAX_PAGED_ROWS } from '@bugle/contract'
import type { FastifyRequest } from 'fastify'

/** Builds the `Link` header of a list (RFC 8288) from its response. */
export interface PageLinks {
  /** `next` uses the cursor, so that a client that follows links neither skips nor repeats items. */
  issues(page: Pick<IssuePage, 'pagination'>, request: FastifyRequest): string
  /** `next` exists while there are more events right now; after that, clients poll with `nextAfter`. */
  events(feed: Pick<EventFeed, 'hasMore' | 'nextAfter'>, request: FastifyRequest): string
}

type Link = readonly [rel: string, parameter?: string, value?: string | number]

/** With a public URL, links are absolute. Otherwise they start with the path: the client's `Host` header is not trusted. */
export function createPageLinks(publicUrl: string | null): PageLinks {
  const base = publicUrl ?? ''

  /** Every link has the filters of the request, with its own position in the list. */
  function write(
    path: string,
    { url }: FastifyRequest,
    placeNames: readonly string[],
    links: readonly Link[],
  ): string {
    const at = url.indexOf('?')
    const filters = new URLSearchParams(at === -1 ? '' : url.slice(at + 1))
    for (const name of placeNames) filters.delete(name)
    return links
      .map(([rel, name, value]) => {
        const query = new URLSearchParams(filters)
        if (name !== undefined) query.set(name, String(value))
        return `<${base}${path}${query.size === 0 ? '' : `?${query}`}>; rel="${rel}"`
      })
      .join(', ')
  }

  return {
    issues({ pagination }, request) {
      const { page, pageSize, nextCursor, totalCount } = pagination
      const links: Link[] = [['first', 'page', 1]]
      if (page !== null && page > 1) links.push(['prev', 'page', page - 1])
      if (nextCursor !== null) links.push(['next', 'cursor', nextCursor])
      const lastPage = totalCount === null ? 0 : Math.max(1, Math.ceil(totalCount / pageSize))
      if (page !== null && lastPage > 0 && lastPage * pageSize <= MAX_PAGED_ROWS)
        links.push(['last', 'page', lastPage])
      return write(endpoints.listIssues.path, request, ['page', 'cursor'], links)
    },

    events({ hasMore, nextAfter }, request) {
      const links: Link[] = [['first'], ...(hasMore ? [['next', 'after', nextAfter] as const] : [])]
      return write(endpoints.listEvents.path, request, ['after'], links)
    },
  }
}
