import { type CursorQuery, type EventPage, endpoints } from '@bugle/contract'
import type { Caller } from '../access/access.ts'
import { fitting, pagingOf } from '../cursor-pages.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { showIssue, type TaggedIssue } from './issue-views.ts'

export interface IssueDetails {
  retrieve(caller: Caller, id: string): Promise<TaggedIssue>
  retrieveByNumber(caller: Caller, idOrSlug: string, issueNumber: string): Promise<TaggedIssue>
  listEvents(caller: Caller, id: string, query: CursorQuery): Promise<EventPage>
}

export function createIssueDetails(
  { storage, eventViews }: IssueDependencies,
  finder: IssueFinder,
): IssueDetails {
  return {
    async retrieve(caller, id) {
      const { issue, sight } = await finder.requireIssue(caller, endpoints.retrieveIssue.access, id)
      return showIssue(issue, sight)
    },

    async retrieveByNumber(caller, idOrSlug, issueNumber) {
      const { access } = endpoints.retrieveIssueByNumber
      const { issue, sight } = await finder.requireIssueByNumber(caller, access, { idOrSlug, issueNumber })
      return showIssue(issue, sight)
    },

    async listEvents(caller, id, query) {
      const { issue, project, sight } = await finder.requireIssue(
        caller,
        endpoints.listIssueEvents.access,
        id,
      )
      const { lanes } = sight
      const paging = pagingOf(query, ['events', issue.id], 0)
      const events = await storage.issues.listEvents({
        issue,
        lanes,
        afterPosition: paging.from,
        limit: paging.pageSize + 1,
      })
      const page = events.slice(0, paging.pageSize)
      const data = fitting(
        await eventViews.showAll(page, { projectId: project.id, lanes }),
        ({ comment, note }) => (comment?.text.length ?? 0) + (note?.length ?? 0),
      )
      const last = data.at(-1)
      const found = data.length < events.length ? paging.pageSize + 1 : data.length
      return { data: [...data], pagination: paging.paginate(found, last?.position, null) }
    },
  }
}
