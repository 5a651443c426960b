import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { periodStatsQuery } from '../../api/projects/projects.ts'
import { useProject } from '../../shell/current-project.ts'
import { Failure } from '../../ui/feedback/failure.tsx'
import { StatePanel } from '../../ui/feedback/state-panel.tsx'
import { Page } from '../../ui/page.tsx'
import { Figures } from './figures.tsx'
import classes from './insights-page.module.css'
import { InsightsSkeleton } from './insights-skeleton.tsx'
import { RANGES, readRange } from './ranges.ts'

/** Statistics of a project. The range is in the address. */
export function InsightsPage() {
  const { slug } = useProject()
  const days = readRange(useSearch({ strict: false }))
  const {
    data: stats,
    error,
    refetch,
  } = useQuery({ ...periodStatsQuery(slug, days), placeholderData: (old) => old })
  return (
    <Page title="Insights" actions={<RangeLinks slug={slug} days={days} />}>
      {stats === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {stats === undefined && error === null && <InsightsSkeleton />}
      {stats !== undefined && stats.intake.received === 0 && (
        <StatePanel
          icon="insights"
          title="No data yet"
          action={
            <Link to="/projects/$slug/settings" params={{ slug }}>
              Send a first report
            </Link>
          }
        >
          Once reports arrive, this page shows how many there are, where they come from, and how quickly
          issues are resolved.
        </StatePanel>
      )}
      {stats !== undefined && stats.intake.received > 0 && <Figures slug={slug} stats={stats} />}
    </Page>
  )
}

function RangeLinks({ slug, days }: { readonly slug: string; readonly days: number }) {
  return (
    <nav aria-label="Range" className={classes['ranges']}>
      {RANGES.map((range) => (
        <Link
          key={range}
          to="/projects/$slug/insights"
          params={{ slug }}
          search={{ days: `${range}` }}
          className={classes['range']}
          aria-current={range === days ? 'true' : undefined}
          activeProps={{}}
        >
          {range} <span className={classes['unit']}>days</span>
        </Link>
      ))}
    </nav>
  )
}
