import { joinList, MAX_COUNTED_REPORTERS, type Report } from '@bugle/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../../../shell/current-project.ts'
import { formatCount } from '../../../ui/words.ts'
import { nameOf } from './reporters.ts'

type Reporter = NonNullable<Report['reporter']>

interface ReporterLinkProps {
  readonly reporter: Reporter
  readonly children: ReactNode
}

/** Leads to the issues that a person has reported. */
export function ReporterLink({ reporter, children }: ReporterLinkProps) {
  const { slug } = useProject()
  const identity = identityOf(reporter)
  if (identity === null) return children
  return (
    <Link
      to="/projects/$slug/issues"
      params={{ slug }}
      search={{ reporter: joinList([identity]) }}
      preload={false}
      aria-label={`Other reports of ${nameOf(reporter)}`}
    >
      {children}
    </Link>
  )
}

/** What the server finds the person by; `null` if only a name is known. */
export function identityOf({ id, email }: Reporter): string | null {
  return id ?? email
}

/** The number of different reporters. The server counts only so many. */
export function formatReporters(count: number): string {
  return count < MAX_COUNTED_REPORTERS ? formatCount(count) : `${formatCount(MAX_COUNTED_REPORTERS)} or more`
}
