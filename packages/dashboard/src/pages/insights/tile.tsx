import classes from './tile.module.css'

interface TileProps {
  readonly name: string
  readonly figure: string
  readonly hint: string
}

/** One key figure. */
export function Tile({ name, figure, hint }: TileProps) {
  return (
    <div className={classes['tile']}>
      <h2 className={classes['name']}>{name}</h2>
      <p className={classes['figure']}>{figure}</p>
      <p className={classes['hint']}>{hint}</p>
    </div>
  )
}
