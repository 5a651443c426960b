import type { Issue, Report } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { issueReportsQuery } from '../../../api/issues/issues.ts'
import { BarList } from '../../../charts/bar-list.tsx'
import { bucketDays, countDays } from '../../../charts/day-buckets.ts'
import { TimeChart } from '../../../charts/time-chart.tsx'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { countOf } from '../../../ui/words.ts'
import { countReports, shorten, type Tally } from './count-reports.ts'
import classes from './where-it-happened.module.css'

const MOST_BARS = 6
const WINDOW = { least: 14, most: 60 }

/** The versions, platforms and devices of a grouped issue's reports. */
export function WhereItHappened({ issue }: { readonly issue: Issue }) {
  const { data: reports, error, refetch } = useQuery(issueReportsQuery(issue.id))
  if (issue.reportCount === 1) return null
  const isPart = reports !== undefined && reports.length < issue.reportCount
  return (
    <section aria-labelledby="where">
      <div className={classes['head']}>
        <h2 id="where">Where it happened</h2>
        <span className={classes['hint']}>
          {isPart ? `the last ${countOf(reports.length, 'report')}` : countOf(issue.reportCount, 'report')}
        </span>
      </div>
      {reports === undefined && error !== null && (
        <InlineFailure error={error} onRetry={() => void refetch()} />
      )}
      {reports !== undefined && <Charts reports={reports} />}
    </section>
  )
}

function Charts({ reports }: { readonly reports: readonly Report[] }) {
  const { versions, devices, systems, platforms } = countReports(reports)
  return (
    <div className={classes['charts']}>
      <OverTime reports={reports} />
      <Tallies title="Versions" tallies={versions} />
      <Tallies title="Devices" tallies={devices} />
      <Tallies title="OS versions" tallies={systems} />
      <Tallies title="Platforms" tallies={platforms} />
    </div>
  )
}

function OverTime({ reports }: { readonly reports: readonly Report[] }) {
  const days = countDays(
    reports.map(({ receivedAt }) => receivedAt),
    { ...WINDOW, until: Date.now() },
  )
  const { buckets } = bucketDays(days)
  const values = days.map(({ count }) => count)
  return (
    <div className={classes['time']}>
      <TimeChart
        label="Reports by day"
        range="By day"
        buckets={buckets}
        panels={[{ size: 'low', series: [{ name: 'reports', tone: 'reports', values }] }]}
      />
    </div>
  )
}

function Tallies({ title, tallies }: { readonly title: string; readonly tallies: readonly Tally[] }) {
  const bars = shorten(tallies, MOST_BARS).map(({ name, count }) => ({
    key: name,
    name: <bdi>{name}</bdi>,
    count,
  }))
  return (
    <div>
      <h3 className={classes['title']}>{title}</h3>
      <BarList bars={bars} />
    </div>
  )
}
