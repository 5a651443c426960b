import { Skeleton } from '@mantine/core'
import classes from './insights-page.module.css'

const TILES = ['Issues', 'Reports', 'Acknowledge', 'Resolve']

/** A placeholder as large as the figures. */
export function InsightsSkeleton() {
  return (
    <div className={classes['figures']} aria-busy="true">
      <p className="visually-hidden">Loading insights</p>
      <div className={classes['tiles']}>
        {TILES.map((tile) => (
          <Skeleton key={tile} height={98} />
        ))}
      </div>
      <Skeleton height={424} />
      <div className={classes['grid']}>
        {TILES.map((tile) => (
          <Skeleton key={tile} height={260} />
        ))}
      </div>
    </div>
  )
}
