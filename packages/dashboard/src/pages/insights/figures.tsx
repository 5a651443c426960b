import { CATEGORIES, ISSUE_STATUSES, PRIORITIES, type ProjectStats } from '@bugle/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../api/people/session.ts'
import { formatDuration } from '../../ui/duration.ts'
import { PriorityIcon } from '../../ui/icons/priority-icon.tsx'
import { StatusIcon } from '../../ui/icons/status-icon.tsx'
import {
  CATEGORY_NAMES,
  countOf,
  formatCount,
  PRIORITY_NAMES,
  platformName,
  STATUS_NAMES,
} from '../../ui/words.ts'
import { CountCard } from './count-card.tsx'
import { DailyCard } from './daily-card.tsx'
import classes from './insights-page.module.css'
import { IntakeCard } from './intake-card.tsx'
import { Tile } from './tile.tsx'
import { VersionsCard } from './versions-card.tsx'

/** These are counted together, so no filter finds them. */
const OTHER_NAME = 'Other values'

interface FiguresProps {
  readonly slug: string
  readonly stats: ProjectStats
}

export function Figures({ slug, stats }: FiguresProps) {
  const maySeeSecurity = useMay('security:read')
  const { totals, days, timeToAcknowledge, timeToResolve, sampledIssues } = stats
  const reports = stats.series.reduce((sum, day) => sum + day.reports, 0)
  const createdAfter = `${stats.series[0]?.date}T00:00:00.000Z`

  /** A value with a link to its issues. */
  function named(filter: Readonly<Record<string, string>>, name: string, icon?: ReactNode): ReactNode {
    return (
      <>
        {icon}
        <Link
          to="/projects/$slug/issues"
          params={{ slug }}
          search={{ ...filter, createdAfter }}
          preload={false}
        >
          <bdi>{name}</bdi>
        </Link>
      </>
    )
  }

  return (
    <div className={classes['figures']}>
      <div className={classes['tiles']}>
        <Tile
          name="New issues"
          figure={formatCount(stats.series.reduce((sum, day) => sum + day.created, 0))}
          hint={`${formatCount(totals.open)} still open`}
        />
        <Tile name="Reports" figure={formatCount(reports)} hint={`in the last ${days} days`} />
        <Tile
          name="Median time to acknowledge"
          figure={durationText(timeToAcknowledge.medianSeconds)}
          hint={`based on ${countOf(timeToAcknowledge.count, 'issue')}`}
        />
        <Tile
          name="Median time to resolve"
          figure={durationText(timeToResolve.medianSeconds)}
          hint={`based on ${countOf(timeToResolve.count, 'issue')}`}
        />
      </div>
      <DailyCard stats={stats} />
      <VersionsCard slug={slug} days={days} />
      <p className={classes['period']}>
        Issues created in the last {days} days
        {sampledIssues !== null && ` (only the newest ${formatCount(sampledIssues)})`}
      </p>
      <div className={classes['grid']}>
        <CountCard
          title="By status"
          noun="Status"
          bars={ISSUE_STATUSES.map((status) => ({
            key: status,
            name: named({ status }, STATUS_NAMES[status], <StatusIcon status={status} label={false} />),
            count: stats.byStatus[status],
          }))}
        />
        <CountCard
          title="By priority"
          noun="Priority"
          bars={PRIORITIES.toReversed().map((priority) => ({
            key: priority,
            name: named(
              { priority },
              PRIORITY_NAMES[priority],
              <PriorityIcon priority={priority} label={false} />,
            ),
            count: stats.byPriority[priority],
          }))}
        />
        <CountCard
          title="By category"
          noun="Category"
          bars={CATEGORIES.filter((category) => category !== 'security' || maySeeSecurity)
            .map((category) => ({
              key: category,
              name: named({ category }, CATEGORY_NAMES[category]),
              count: stats.byCategory[category],
            }))
            .sort((a, b) => b.count - a.count)}
        />
        <CountCard
          title="By platform"
          noun="Platform"
          bars={stats.byPlatform.map(({ value, count, includesRest }) => ({
            key: value,
            name: includesRest ? OTHER_NAME : named({ platform: value }, platformName(value)),
            count,
          }))}
          total={totals.issues}
        />
        <div className={classes['double']}>
          <CountCard
            title="By version"
            hint="The ten most frequent"
            noun="Version"
            bars={stats.byAppVersion.map(({ value, count, includesRest }) => ({
              key: value,
              name: includesRest ? OTHER_NAME : named({ appVersion: value }, value),
              count,
            }))}
            total={totals.issues}
            isWide
          />
        </div>
      </div>
      <h2 className={classes['always']}>Since the project was created</h2>
      <IntakeCard intake={stats.intake} />
    </div>
  )
}

function durationText(medianSeconds: number | null): string {
  return medianSeconds === null ? '–' : formatDuration(medianSeconds)
}
