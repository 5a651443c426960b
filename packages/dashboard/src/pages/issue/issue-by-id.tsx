import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { issueQuery } from '../../api/issues/issues.ts'
import { useProjects } from '../../shell/current-project.ts'
import { issueAddress } from '../../shell/issue-address.ts'
import { Failure } from '../../ui/feedback/failure.tsx'
import { IssueSkeleton } from './issue-skeleton.tsx'

/** Redirects to the address with the number. */
export function IssueById() {
  const { id = '' } = useParams({ strict: false })
  const projects = useProjects()
  const { data: issue, error, refetch } = useQuery(issueQuery(id))
  if (issue === undefined) {
    return error === null ? (
      <IssueSkeleton />
    ) : (
      <Failure error={error} onRetry={() => void refetch()} isPage />
    )
  }
  const slug = projects.find((project) => project.id === issue.projectId)?.slug ?? issue.projectId
  return <Navigate {...issueAddress(slug, issue)} replace />
}
