import { endpoints, MAX_PAGE_SIZE } from '@bugle/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** The duplicates of an issue, newest first, page by page. */
export function duplicatesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['issue', id, 'duplicates'],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const input = { params: { id }, query: { cursor, pageSize: MAX_PAGE_SIZE }, signal }
      return (await client.call(endpoints.listDuplicates, input)).body
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })
}
