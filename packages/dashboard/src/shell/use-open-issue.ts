import { ApiProblem } from '@bugle/client'
import type { Project } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { issueIdQuery } from '../api/issues/issues.ts'
import { explain } from '../ui/feedback/failure.tsx'
import { showToast } from '../ui/feedback/toasts.tsx'
import { issueAddress } from './issue-address.ts'

/** The number in a text like `#295`. */
export function readIssueNumber(text: string): number | undefined {
  const digits = /^\s*#\s*(\d{1,10})\s*$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Opens the issue with a number; if there is none, shows a message and stays on the page. */
export function useOpenIssue(project: Project | undefined): (issueNumber: number) => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (issueNumber) => {
    if (project === undefined) return
    try {
      await queries.fetchQuery(issueIdQuery(project.slug, `${issueNumber}`))
      await navigate(issueAddress(project.slug, { issueNumber }))
    } catch (error) {
      const isMissing = error instanceof ApiProblem && error.status === 404
      const missing = `#${issueNumber} does not exist in ${project.name}, or it is not visible to you.`
      showToast({ tone: 'danger', text: isMissing ? missing : explain(error) })
    }
  }
}
