import type { ProjectStats } from '@bugle/contract'
import { ChartCard } from '../../charts/chart-card.tsx'
import type { Series } from '../../charts/chart-panel.tsx'
import { DataTable } from '../../charts/data-table.tsx'
import { bucketDays } from '../../charts/day-buckets.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { formatCount } from '../../ui/words.ts'

type Figure = 'created' | 'resolved' | 'reports'

/** Created issues, resolved issues and reports over time. */
export function DailyCard({ stats }: { readonly stats: ProjectStats }) {
  const { buckets, days, isWeekly } = bucketDays(stats.series)
  const values = (figure: Figure) => days.map((group) => group.reduce((sum, day) => sum + day[figure], 0))
  const series = (figure: Figure): Series => ({ name: figure, tone: figure, values: values(figure) })
  const panels = [
    { size: 'tall', series: [series('created'), series('resolved')] },
    { size: 'low', series: [series('reports')] },
  ] as const
  return (
    <ChartCard
      title={isWeekly ? 'Week by week' : 'Day by day'}
      hint="Issues created, issues resolved for the first time, and reports. Days begin at midnight UTC."
      chart={
        <TimeChart
          label={isWeekly ? 'Issues and reports by week' : 'Issues and reports by day'}
          range={`Last ${stats.days} days`}
          buckets={buckets}
          panels={panels}
        />
      }
      table={
        <DataTable
          caption={isWeekly ? 'Issues and reports by week' : 'Issues and reports by day'}
          columns={[isWeekly ? 'Week' : 'Day', 'Created', 'Resolved', 'Reports']}
          rows={buckets
            .map(({ key, name }, index) => ({
              key,
              cells: [
                name,
                ...panels.flatMap((panel) => panel.series).map((one) => formatCount(one.values[index] ?? 0)),
              ],
            }))
            .toReversed()}
        />
      }
    />
  )
}
