import { ISSUE_STATUSES, type IssueStatus } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { statsQuery } from '../../api/projects.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { formatCount, STATUS_NAMES } from '../../ui/words.ts'
import { type Filters, writeFilters } from './filters.ts'
import classes from './status-tabs.module.css'

interface StatusTabsProps {
  readonly slug: string
  readonly filters: Filters
}

/** The statuses with how many issues of the project are in each; one click shows one of them. */
export function StatusTabs({ slug, filters }: StatusTabsProps) {
  const { data: stats } = useQuery(statsQuery(slug))
  const tabs = [
    { name: 'All', status: [], count: stats?.totals.issues },
    ...ISSUE_STATUSES.map((status) => ({
      name: STATUS_NAMES[status],
      status: [status],
      count: stats?.byStatus[status],
    })),
  ] satisfies readonly { name: string; status: readonly IssueStatus[]; count: number | undefined }[]
  return (
    <nav aria-label="Status" className={classes['tabs']}>
      {tabs.map(({ name, status, count }) => {
        const [only] = status
        return (
          <Link
            key={name}
            to="/projects/$slug/issues"
            params={{ slug }}
            search={writeFilters({ ...filters, status })}
            className={classes['tab']}
            activeOptions={EXACTLY}
          >
            {only !== undefined && <StatusIcon status={only} label={false} />}
            {name}
            <span className={classes['count']}>{count === undefined ? '' : formatCount(count)}</span>
          </Link>
        )
      })}
    </nav>
  )
}

/** The whole address counts, filters included. */
const EXACTLY = { exact: true, includeSearch: true }
