import { type CursorQuery, type EventPage, endpoints, type Issue } from '@bugle/contract'
import type { Caller } from '../access/access.ts'
import { fitting, pagingOf } from '../cursor-pages.ts'
import type { FoundIssue, IssueDependencies, IssueFinder } from './issue-finder.ts'
import { showIssue, tagOfIssue } from './issue-views.ts'

export interface IssueDetails {
  retrieve(caller: Caller, id: string): Promise<TaggedIssue>
  retrieveByNumber(caller: Caller, idOrSlug: string, issueNumber: string): Promise<TaggedIssue>
  listEvents(caller: Caller, id: string, query: CursorQuery): Promise<EventPage>
}

interface TaggedIssue {
  readonly issue: Issue
  readonly tag: string
}

export function createIssueDetails(
  { storage, eventViews }: IssueDependencies,
  finder: IssueFinder,
): IssueDetails {
  async function show({ issue, project, sight }: FoundIssue): Promise<TaggedIssue> {
    const states = await finder.findAttachmentStates(project.id, sight, [issue])
    return { issue: showIssue(issue, sight, states), tag: tagOfIssue(issue, sight, states) }
  }

  return {
    async retrieve(caller, id) {
      return show(await finder.requireIssue(caller, endpoints.retrieveIssue.access, id))
    },

    async retrieveByNumber(caller, idOrSlug, issueNumber) {
      const { access } = endpoints.retrieveIssueByNumber
      return show(await finder.requireIssueByNumber(caller, access, { idOrSlug, issueNumber }))
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
