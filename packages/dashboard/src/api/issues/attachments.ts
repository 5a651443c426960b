import { endpoints } from '@bugle/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** A page of files fills the screen; more are loaded on request. */
const PAGE_SIZE = 24

/** The files of an issue's reports, those of the newest report first. */
export function attachmentsQuery(issueId: string) {
  return infiniteQueryOptions({
    queryKey: ['issue', issueId, 'attachments'],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const input = { params: { id: issueId }, query: { cursor, pageSize: PAGE_SIZE }, signal }
      return (await client.call(endpoints.listIssueAttachments, input)).body
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })
}

/** Where the browser gets the bytes. */
export function attachmentAddress(id: string): string {
  return endpoints.downloadAttachment.path.replace('{id}', encodeURIComponent(id))
}
