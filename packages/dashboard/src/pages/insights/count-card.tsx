import { type Bar, BarList, sumOf } from '../../charts/bar-list.tsx'
import { ChartCard } from '../../charts/chart-card.tsx'
import { DataTable } from '../../charts/data-table.tsx'
import { formatShare } from '../../charts/nice-scale.ts'
import { formatCount } from '../../ui/words.ts'
import classes from './insights-page.module.css'

interface CountCardProps {
  readonly title: string
  readonly hint?: string
  /** The label of the first column. */
  readonly noun: string
  readonly bars: readonly Bar[]
  /** The number of all issues, if not every issue has a value. */
  readonly total?: number
  readonly isWide?: boolean
}

/** The number of issues of each kind. */
export function CountCard({ title, hint, noun, bars, total = sumOf(bars), isWide }: CountCardProps) {
  if (bars.length === 0) {
    const none = <p className={classes['none']}>No data in this period.</p>
    return <ChartCard title={title} chart={none} table={none} />
  }
  return (
    <ChartCard
      title={title}
      {...(hint !== undefined && { hint })}
      chart={<BarList bars={bars} total={total} isWide={isWide === true} />}
      table={
        <DataTable
          caption={`Issues ${title.toLowerCase()}`}
          columns={[noun, 'Issues', 'Share']}
          rows={bars.map(({ key, name, count }) => ({
            key,
            cells: [name, formatCount(count), formatShare(count, total)],
          }))}
        />
      }
    />
  )
}
