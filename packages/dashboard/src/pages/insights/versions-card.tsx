import { joinList, type VersionDay, type VersionStats } from '@bugle/contract'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { versionStatsQuery } from '../../api/projects/projects.ts'
import { ChartCard } from '../../charts/chart-card.tsx'
import { type Series, TONES, type Tone } from '../../charts/chart-panel.tsx'
import { DataTable } from '../../charts/data-table.tsx'
import { bucketDays } from '../../charts/day-buckets.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { Card } from '../../ui/card.tsx'
import { InlineFailure } from '../../ui/feedback/inline-failure.tsx'
import { formatCount } from '../../ui/words.ts'
import classes from './versions-card.module.css'

const TITLE = 'Versions over time'
const OTHERS = 'Other'
const VERSION_TONES: readonly Tone[] = ['first', 'second', 'third', 'fourth', 'fifth']
const FIGURES = { reports: 'Reports', newIssues: 'New issues' } as const
type Figure = keyof typeof FIGURES

interface VersionsCardProps {
  readonly slug: string
  readonly days: number
}

/** Reports and new issues of the most reported versions, day by day. */
export function VersionsCard({ slug, days }: VersionsCardProps) {
  const { data, error, refetch } = useQuery({
    ...versionStatsQuery(slug, days),
    placeholderData: (old) => old,
  })
  if (data === undefined)
    return (
      <Card title={TITLE}>
        {error === null ? (
          <Skeleton height={180} />
        ) : (
          <InlineFailure error={error} onRetry={() => void refetch()} />
        )}
      </Card>
    )
  if (data.versions.length === 0)
    return (
      <Card title={TITLE}>
        <p className={classes['none']}>
          No report in this period has an app version. Apps send it as <code>appVersion</code>.
        </p>
      </Card>
    )
  return <VersionsChart slug={slug} stats={data} />
}

function VersionsChart({ slug, stats }: { readonly slug: string; readonly stats: VersionStats }) {
  const [figure, setFigure] = useState<Figure>('reports')
  const rows = rowsOf(stats)
  const { buckets, isWeekly } = bucketDays(stats.others)
  const series = rows.map(
    ({ name, tone, days }): Series => ({
      name,
      tone,
      values: bucketDays(days).days.map((group) => sumOf(group, figure)),
    }),
  )
  const label = `${FIGURES[figure]} by version and ${isWeekly ? 'week' : 'day'}`
  return (
    <ChartCard
      title={TITLE}
      hint={hintOf(stats)}
      actions={<FigureButtons chosen={figure} onChoose={setFigure} />}
      chart={
        <>
          <TimeChart
            label={label}
            range={`Last ${stats.days} days`}
            buckets={buckets}
            panels={[{ size: 'tall', isStacked: true, series }]}
          />
          <Totals slug={slug} rows={rows} />
        </>
      }
      table={
        <DataTable
          caption={label}
          columns={[isWeekly ? 'Week' : 'Day', ...rows.map(({ name }) => name)]}
          rows={buckets
            .map(({ key, name }, index) => ({
              key,
              cells: [name, ...series.map(({ values }) => formatCount(values[index] ?? 0))],
            }))
            .toReversed()}
        />
      }
    />
  )
}

interface VersionRow {
  readonly name: string
  /** `null`: all others. */
  readonly appVersion: string | null
  readonly tone: Tone
  readonly days: readonly VersionDay[]
}

function rowsOf({ versions, others }: VersionStats): readonly VersionRow[] {
  const named = versions.map(({ appVersion, series }, index) => ({
    name: appVersion,
    appVersion,
    tone: VERSION_TONES[index] ?? 'others',
    days: series,
  }))
  const hasOthers = others.some(({ reports, newIssues }) => reports + newIssues > 0)
  const rest = { name: OTHERS, appVersion: null, tone: 'others' as const, days: others }
  return hasOthers ? [...named, rest] : named
}

function sumOf(days: readonly VersionDay[], figure: Figure): number {
  return days.reduce((sum, day) => sum + day[figure], 0)
}

function hintOf({ versions, completeFrom }: VersionStats): string {
  const which = `The ${versions.length === 1 ? 'version' : `${versions.length} versions`} with the most reports.`
  return completeFrom === null
    ? `${which} Days begin at midnight UTC.`
    : `${which} Complete from ${completeFrom}; before that, Other includes reports that are not counted by version.`
}

interface FigureButtonsProps {
  readonly chosen: Figure
  readonly onChoose: (figure: Figure) => void
}

function FigureButtons({ chosen, onChoose }: FigureButtonsProps) {
  return (Object.keys(FIGURES) as Figure[]).map((figure) => (
    <Button
      key={figure}
      size="compact-xs"
      variant={figure === chosen ? 'light' : 'subtle'}
      {...(figure !== chosen && { color: 'gray' })}
      aria-pressed={figure === chosen}
      onClick={() => onChoose(figure)}
    >
      {FIGURES[figure]}
    </Button>
  ))
}

/** The sums of the period, with links to the issues of each version. */
function Totals({ slug, rows }: { readonly slug: string; readonly rows: readonly VersionRow[] }) {
  return (
    <table className={classes['table']}>
      <caption className="visually-hidden">Reports and new issues by version</caption>
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">Reports</th>
          <th scope="col">New issues</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, appVersion, tone, days }) => (
          <tr key={tone}>
            <th scope="row">
              <span className={classes['swatch']} style={{ background: TONES[tone] }} aria-hidden="true" />
              {appVersion === null ? (
                name
              ) : (
                <Link
                  to="/projects/$slug/issues"
                  params={{ slug }}
                  search={{ appVersion: joinList([appVersion]) }}
                  preload={false}
                >
                  <bdi>{name}</bdi>
                </Link>
              )}
            </th>
            <td>{formatCount(sumOf(days, 'reports'))}</td>
            <td>{formatCount(sumOf(days, 'newIssues'))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
