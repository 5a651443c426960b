import { ISSUE_STATUSES, type IssueStatus } from '@bugle/contract'
import { Link } from '@tanstack/react-router'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { formatCount, STATUS_NAMES } from '../../../ui/words.ts'
import { type Filters, writeFilters } from './filters.ts'
import { countIn, type StatusCounts } from './status-counts.ts'
import classes from './status-tabs.module.css'

interface StatusTabsProps {
  readonly slug: string
  readonly filters: Filters
  readonly counts: StatusCounts | undefined
}

/** The statuses, with how many issues in each match the search and the filters. */
export function StatusTabs({ slug, filters, counts }: StatusTabsProps) {
  const tabs: readonly { readonly name: string; readonly status: readonly IssueStatus[] }[] = [
    { name: 'All', status: [] },
    ...ISSUE_STATUSES.map((status) => ({ name: STATUS_NAMES[status], status: [status] })),
  ]
  return (
    <nav aria-label="Status" className={classes['tabs']}>
      {tabs.map(({ name, status }) => {
        const [only] = status
        const count = counts && countIn(counts, status)
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
            <span className={classes['count']}>{typeof count === 'number' ? formatCount(count) : ''}</span>
          </Link>
        )
      })}
    </nav>
  )
}

/** Compares the whole address, including filters. */
const EXACTLY = { exact: true, includeSearch: true }
