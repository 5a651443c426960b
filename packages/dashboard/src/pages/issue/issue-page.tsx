import { ApiProblem } from '@bugle/client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { issueEventsQuery, issueQuery, issueReportsQuery } from '../../api/issues.ts'
import { Failure } from '../../ui/failure.tsx'
import { useTitle } from '../../ui/page.tsx'
import { IssueSkeleton } from './issue-skeleton.tsx'
import { IssueView } from './issue-view.tsx'
import { useIssueRefresh } from './use-issue-refresh.ts'

/** One issue, under an address of its own. */
export function IssuePage() {
  const { id = '' } = useParams({ strict: false })
  return <OneIssue key={id} id={id} />
}

function OneIssue({ id }: { readonly id: string }) {
  const { data: issue, error, refetch } = useQuery(issueQuery(id))
  // All at once: what comes later would push down what is being read.
  const isComing = [useInfiniteQuery(issueEventsQuery(id)), useQuery(issueReportsQuery(id))].some(
    (part) => part.isPending,
  )
  useIssueRefresh(id)
  useTitle(issue === undefined ? 'Issue' : `#${issue.issueNumber} ${issue.title}`)
  // What is known stays on the page while the server is away, but not once it says that it is gone.
  const isGone = error instanceof ApiProblem && error.status === 404
  if (isGone || (error !== null && issue === undefined)) {
    return <Failure error={error} onRetry={() => void refetch()} />
  }
  return issue === undefined || isComing ? <IssueSkeleton /> : <IssueView issue={issue} />
}
