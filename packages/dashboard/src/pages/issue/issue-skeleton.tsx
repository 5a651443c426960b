import { Skeleton } from '@mantine/core'
import head from './issue-head.module.css'
import classes from './issue-view.module.css'

/** A placeholder as large as a typical issue. */
export function IssueSkeleton() {
  return (
    <div className={classes['page']} aria-busy="true">
      <h1 className="visually-hidden">Loading issue</h1>
      <div className={head['head']}>
        <Skeleton height={16} width={120} />
      </div>
      <div className={classes['columns']}>
        <div className={classes['main']}>
          <Skeleton height={28} width="70%" />
          <Skeleton height={28} width="50%" />
          <Skeleton height={140} />
          <Skeleton height={190} />
        </div>
        <Skeleton height={320} />
      </div>
    </div>
  )
}
