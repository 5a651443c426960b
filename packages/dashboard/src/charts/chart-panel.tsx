import { formatCount } from '../ui/words.ts'
import classes from './chart-panel.module.css'
import { niceScale, shareOf } from './nice-scale.ts'

export const TONES = {
  created: 'var(--accent)',
  resolved: 'var(--status-resolved)',
  reports: 'var(--brass)',
} as const
export type Tone = keyof typeof TONES

export interface Series {
  readonly name: string
  readonly tone: Tone
  /** One for each bucket. */
  readonly values: readonly number[]
}

/** Series that share a scale, as columns side by side. */
export interface Panel {
  readonly series: readonly Series[]
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
/** What is not nothing must be seen. */
const LEAST = 1.5

/** The drawing alone: what it shows is also in words, elsewhere. */
export function ChartPanel({ panel: { series, size }, count, chosen }: ChartPanelProps) {
  const lines = niceScale(Math.max(0, ...series.flatMap(({ values }) => values)), STEPS[size])
  const top = lines.at(-1) ?? 1
  const width = Math.max(1, count) * BUCKET
  const columnWidth = (BUCKET - GAP) / series.length
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
        {series.map(({ name, tone, values }, place) => (
          <g key={name} fill={TONES[tone]}>
            {values.map((value, index) => {
              const height = value > 0 ? Math.max(LEAST, HEIGHT * shareOf(value, top)) : 0
              const x = index * BUCKET + GAP / 2 + place * columnWidth
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a bucket is its place on the axis
                <rect key={index} x={x} y={HEIGHT - height} width={columnWidth * 0.92} height={height} />
              )
            })}
          </g>
        ))}
      </svg>
    </div>
  )
}
