import { type CursorQuery, type EventPage, endpoints, type Issue, type ReportPage } from '@bugle/contract'
import { positionFor } from '../../model/lanes.ts'
import type { Caller } from '../access/access.ts'
import { pagingOf } from '../cursor-pages.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { showIssue, showReport, tagOfIssue } from './issue-views.ts'

export interface IssueDetails {
  retrieve(caller: Caller, id: string): Promise<TaggedIssue>
  retrieveByNumber(caller: Caller, idOrSlug: string, issueNumber: string): Promise<TaggedIssue>
  listEvents(caller: Caller, id: string, query: CursorQuery): Promise<EventPage>
  listReports(caller: Caller, id: string, query: CursorQuery): Promise<ReportPage>
}

interface TaggedIssue {
  readonly issue: Issue
  readonly tag: string
}

export function createIssueDetails(
  { storage, eventViews }: IssueDependencies,
  finder: IssueFinder,
): IssueDetails {
  return {
    async retrieve(caller, id) {
      const { issue, sight } = await finder.requireIssue(caller, endpoints.retrieveIssue.access, id)
      return { issue: showIssue(issue, sight), tag: tagOfIssue(issue, sight) }
    },

    async retrieveByNumber(caller, idOrSlug, issueNumber) {
      const { access } = endpoints.retrieveIssueByNumber
      const { issue, sight } = await finder.requireIssueByNumber(caller, access, { idOrSlug, issueNumber })
      return { issue: showIssue(issue, sight), tag: tagOfIssue(issue, sight) }
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
      const shown = events.slice(0, paging.pageSize)
      const last = shown.at(-1)
      return {
        data: await eventViews.showAll(shown, { projectId: project.id, lanes }),
        pagination: paging.paginate(events.length, last && positionFor(lanes, last), null),
      }
    },

    async listReports(caller, id, query) {
      const { issue } = await finder.requireIssue(caller, endpoints.listIssueReports.access, id)
      const paging = pagingOf(query, ['reports', issue.id], issue.reportCount + 1)
      const reports = await storage.issues.listReports(issue, paging.from, paging.pageSize + 1)
      const shown = reports.slice(0, paging.pageSize)
      return {
        data: shown.map(showReport),
        pagination: paging.paginate(reports.length, shown.at(-1)?.reportNumber, issue.reportCount),
      }
    },
  }
}
