import type { Issue } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { issueReportsQuery } from '../../../api/issues/issues.ts'
import { findReporters, type Reporters } from './reporters.ts'

/** The reporters of an issue. Those of its duplicates are not among them: replies do not reach them. */
export function useReporters(issue: Issue): Reporters {
  const { data: reports, isError } = useQuery(issueReportsQuery(issue.id))
  return { ...findReporters(issue, reports ?? []), hasFailed: isError && reports === undefined }
}
