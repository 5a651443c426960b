import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { formatCount } from '../ui/words.ts'
import { ChartPanel, type Panel, TONES } from './chart-panel.tsx'
import classes from './time-chart.module.css'

export interface Bucket {
  readonly key: string
  /** The full name, as it is read out. */
  readonly name: string
  /** The short name on the axis. */
  readonly short: string
}

interface TimeChartProps {
  /** What the chart is about. */
  readonly label: string
  /** The label of the whole range, shown while no bucket is selected. */
  readonly range: string
  readonly buckets: readonly Bucket[]
  readonly panels: readonly Panel[]
}

const MOST_LABELS = 6
/** Closer to the end, a label would overflow. */
const EDGE_PERCENT = 95

/** Figures over time. The pointer or arrow keys choose a bucket, and its figures are shown above the chart. */
export function TimeChart({ label, range, buckets, panels }: TimeChartProps) {
  const [chosen, setChosen] = useState<number>()
  const last = buckets.length - 1
  const index = chosen === undefined ? undefined : Math.min(chosen, last)
  const name = (index === undefined ? undefined : buckets[index]?.name) ?? range
  const figures = panels.flatMap(({ series }) =>
    series.map(({ name: of, tone, values }) => ({
      of,
      tone,
      value: index === undefined ? values.reduce((sum, value) => sum + value, 0) : (values[index] ?? 0),
    })),
  )

  function onKeyDown(event: KeyboardEvent): void {
    const to = stepOf(event.key, index ?? last, last)
    if (to === undefined) return
    event.preventDefault()
    setChosen(to)
  }

  function onPointerMove({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    const at = Math.floor(((clientX - left) / width) * buckets.length)
    setChosen(Math.max(0, Math.min(at, last)))
  }

  return (
    <div className={classes['chart']}>
      <div className={classes['readout']} aria-hidden="true">
        <span className={classes['name']}>{name}</span>
        {figures.map(({ of, tone, value }) => (
          <span key={tone} className={classes['figure']}>
            <span className={classes['swatch']} style={{ background: TONES[tone] }} />
            <b>{formatCount(value)}</b> <bdi>{of}</bdi>
          </span>
        ))}
      </div>
      <div className={classes['plot']}>
        <div
          className={classes['cursor']}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={index ?? Math.max(0, last)}
          aria-valuetext={`${name}: ${figures.map(({ of, value }) => `${formatCount(value)} ${of}`).join(', ')}`}
          onKeyDown={onKeyDown}
          onBlur={() => setChosen(undefined)}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setChosen(undefined)}
        />
        {panels.map((panel) => (
          <ChartPanel key={panel.series[0]?.name} panel={panel} count={buckets.length} chosen={index} />
        ))}
      </div>
      <div className={classes['axis']} aria-hidden="true">
        {labelsOf(buckets).map(({ key, short, at }) =>
          at > EDGE_PERCENT ? (
            <span key={key} className={classes['edge']}>
              {short}
            </span>
          ) : (
            <span key={key} style={{ insetInlineStart: `${at}%` }}>
              {short}
            </span>
          ),
        )}
      </div>
    </div>
  )
}

function stepOf(key: string, from: number, last: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, from - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, from + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

/** Some of the names, far enough apart, each centred under its bucket. */
function labelsOf(buckets: readonly Bucket[]) {
  const stride = Math.max(1, Math.ceil(buckets.length / MOST_LABELS))
  return buckets
    .map((bucket, index) => ({ ...bucket, index, at: ((index + 0.5) / buckets.length) * 100 }))
    .filter(({ index }) => (buckets.length - 1 - index) % stride === 0)
}
