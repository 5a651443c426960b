import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { issueQuery } from '../../../api/issues/issues.ts'
import { useProject } from '../../../shell/current-project.ts'
import { issueAddress } from '../../../shell/issue-address.ts'

/** The number of an issue, with a link to it. */
export function IssueReference({ id }: { readonly id: string }) {
  const { slug } = useProject()
  const { data: issue } = useQuery(issueQuery(id))
  if (issue === undefined) return 'another issue'
  return <Link {...issueAddress(slug, issue)}>#{issue.issueNumber}</Link>
}
