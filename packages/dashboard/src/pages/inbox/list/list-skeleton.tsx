import classes from './issue-rows.module.css'
import skeleton from './list-skeleton.module.css'

const ROWS = Array.from({ length: 24 }, (_, index) => index)

/** A placeholder until the rows are loaded. */
export function ListSkeleton({ rowHeight }: { readonly rowHeight: number }) {
  return (
    <div className={skeleton['rows']} role="status" aria-label="Loading issues">
      {ROWS.map((index) => (
        <div key={index} className={skeleton['row']} style={{ height: rowHeight }}>
          <span className={classes['coming']} />
        </div>
      ))}
    </div>
  )
}
