import type { ReactNode } from 'react'
import { formatCount } from '../ui/words.ts'
import classes from './bar-list.module.css'
import { formatShare, shareOf } from './nice-scale.ts'

export interface Bar {
  readonly key: string
  readonly name: ReactNode
  readonly count: number
}

interface BarListProps {
  readonly bars: readonly Bar[]
  /** The total that shares are relative to; by default, the sum. */
  readonly total?: number
  /** Whether there is room for two columns. */
  readonly isWide?: boolean
}

/** A list of counts with proportional bars. */
export function BarList({ bars, total = sumOf(bars), isWide = false }: BarListProps) {
  const largest = Math.max(0, ...bars.map(({ count }) => count))
  return (
    <ul className={classes['list']} data-wide={isWide || undefined}>
      {bars.map(({ key, name, count }) => (
        <li key={key} className={classes['row']}>
          <span className={classes['place']}>
            <span
              className={classes['bar']}
              style={{ inlineSize: `${100 * shareOf(count, largest)}%` }}
              aria-hidden="true"
            />
            <span className={classes['name']}>{name}</span>
          </span>
          <span className={classes['count']}>{formatCount(count)}</span>
          <span className={classes['share']}>{formatShare(count, total)}</span>
        </li>
      ))}
    </ul>
  )
}

export function sumOf(bars: readonly Pick<Bar, 'count'>[]): number {
  return bars.reduce((sum, { count }) => sum + count, 0)
}
