import { type IssuePage, MAX_PAGED_ROWS } from '@bugle/contract'
import type { FastifyRequest } from 'fastify'

/** The `Link` header of a list (RFC 8288). `next` leads by the cursor, so that whoever follows links never drifts. */
export function linksOf({ pagination }: Pick<IssuePage, 'pagination'>, request: FastifyRequest): string {
  const { page, pageSize, nextCursor, totalCount } = pagination
  const [path = '', query = ''] = request.url.split('?', 2)
  const list = withoutPlace(query)
  const links: [rel: string, parameter: string, value: string | number][] = [['first', 'page', 1]]
  if (page !== null && page > 1) links.push(['prev', 'page', page - 1])
  if (nextCursor !== null) links.push(['next', 'cursor', nextCursor])
  const lastPage = totalCount === null ? 0 : Math.max(1, Math.ceil(totalCount / pageSize))
  if (page !== null && lastPage > 0 && lastPage * pageSize <= MAX_PAGED_ROWS)
    links.push(['last', 'page', lastPage])
  return links.map(([rel, name, value]) => `<${path}?${list}${name}=${value}>; rel="${rel}"`).join(', ')
}

/** The same query, ready for another place of the list. */
function withoutPlace(query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  parameters.delete('cursor')
  return parameters.size === 0 ? '' : `${parameters}&`
}
