import { ApiProblem } from '@bugle/client'
import type { Project } from '@bugle/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { issueEventsQuery, issueIdQuery, issueQuery, issueReportsQuery } from '../../api/issues/issues.ts'
import { useProject } from '../../shell/current-project.ts'
import { Failure } from '../../ui/feedback/failure.tsx'
import { useTitle } from '../../ui/page.tsx'
import { findIssueId } from '../inbox/list/list-sessions.ts'
import { IssueSkeleton } from './issue-skeleton.tsx'
import { IssueView } from './issue-view.tsx'
import { useIssueRefresh } from './use-issue-refresh.ts'

/** One issue, under the address with its number. */
export function IssuePage() {
  const project = useProject()
  const { issueNumber = '' } = useParams({ strict: false })
  return <NumberedIssue key={`${project.id} ${issueNumber}`} project={project} issueNumber={issueNumber} />
}

interface NumberedIssueProps {
  readonly project: Project
  readonly issueNumber: string
}

function NumberedIssue({ project, issueNumber }: NumberedIssueProps) {
  const {
    data: id,
    error,
    refetch,
  } = useQuery({
    ...issueIdQuery(project.slug, issueNumber),
    // When coming from a list, the id is already known.
    initialData: () => findIssueId(project.id, Number(issueNumber)),
  })
  if (id !== undefined) return <OneIssue id={id} />
  return error === null ? <IssueSkeleton /> : <Failure error={error} onRetry={() => void refetch()} isPage />
}

function OneIssue({ id }: { readonly id: string }) {
  const { data: issue, error, refetch } = useQuery(issueQuery(id))
  // Shown all at once, so that nothing shifts while someone is reading.
  const isComing = [useInfiniteQuery(issueEventsQuery(id)), useQuery(issueReportsQuery(id))].some(
    (part) => part.isPending,
  )
  useIssueRefresh(id)
  useTitle(issue === undefined ? 'Issue' : `#${issue.issueNumber} ${issue.title}`)
  // The issue stays on the page while the server is unreachable, but not once it is deleted.
  const isGone = error instanceof ApiProblem && error.status === 404
  if (isGone || (error !== null && issue === undefined)) {
    return <Failure error={error} onRetry={() => void refetch()} isPage />
  }
  return issue === undefined || isComing ? <IssueSkeleton /> : <IssueView issue={issue} />
}
