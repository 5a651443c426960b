import { formatCount } from '../ui/words.ts'
import classes from './chart-panel.module.css'
import { niceScale, shareOf } from './nice-scale.ts'

export const TONES = {
  created: 'var(--accent)',
  resolved: 'var(--status-resolved)',
  reports: 'var(--brass)',
  first: 'var(--accent)',
  second: 'var(--brass)',
  third: 'var(--status-resolved)',
  fourth: 'var(--status-acknowledged)',
  fifth: 'var(--priority-high)',
  others: 'var(--line-strong)',
} as const
export type Tone = keyof typeof TONES

export interface Series {
  readonly name: string
  readonly tone: Tone
  /** One for each bucket. */
  readonly values: readonly number[]
}

/** Series that share a scale, drawn as columns next to each other, or on top of each other. */
export interface Panel {
  readonly series: readonly Series[]
  readonly isStacked?: boolean
  readonly size: 'tall' | 'low'
}

interface ChartPanelProps {
  readonly panel: Panel
  readonly count: number
  readonly chosen: number | undefined
}

const STEPS = { tall: 4, low: 3 } as const
/** In units of the drawing, in which a bucket is 10 wide and the panel 100 high. */
const BUCKET = 10
const GAP = 2.4
const HEIGHT = 100
/** A value above zero must be visible. */
const LEAST = 1.5

/** Only the drawing; its content is also available as text elsewhere. */
export function ChartPanel({ panel: { series, size, isStacked = false }, count, chosen }: ChartPanelProps) {
  const sums = Array.from({ length: count }, (_, index) => sumBelow(series, series.length, index))
  const highest = isStacked ? sums : series.flatMap(({ values }) => values)
  const lines = niceScale(Math.max(0, ...highest), STEPS[size])
  const top = lines.at(-1) ?? 1
  const width = Math.max(1, count) * BUCKET
  const columnWidth = (BUCKET - GAP) / (isStacked ? 1 : series.length)
  return (
    <div className={classes['panel']} data-size={size} aria-hidden="true">
      {lines.map((line) => (
        <span
          key={line}
          className={classes['line']}
          style={{ insetBlockEnd: `${100 * shareOf(line, top)}%` }}
        >
          {formatCount(line)}
        </span>
      ))}
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" className={classes['drawing']}>
        <title>{series.map(({ name }) => name).join(', ')}</title>
        {chosen !== undefined && (
          <rect className={classes['chosen']} x={chosen * BUCKET} y={0} width={BUCKET} height={HEIGHT} />
        )}
        {series.map(({ tone, values }, place) => (
          <g key={tone} fill={TONES[tone]}>
            {values.map((value, index) => {
              const height = value > 0 ? Math.max(LEAST, HEIGHT * shareOf(value, top)) : 0
              const x = index * BUCKET + GAP / 2 + (isStacked ? 0 : place * columnWidth)
              const below = isStacked ? HEIGHT * shareOf(sumBelow(series, place, index), top) : 0
              const y = HEIGHT - below - height
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a bucket is identified by its position
                <rect key={index} x={x} y={y} width={columnWidth * 0.92} height={height} />
              )
            })}
          </g>
        ))}
      </svg>
    </div>
  )
}

/** The sum of the series before a place, in one bucket. */
function sumBelow(series: readonly Series[], place: number, bucket: number): number {
  return series.slice(0, place).reduce((sum, { values }) => sum + (values[bucket] ?? 0), 0)
}
