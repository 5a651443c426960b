import type { CSSProperties } from 'react'
import classes from './label-chip.module.css'

interface LabelChipProps {
  readonly name: string
  /** `undefined` while it is loading. */
  readonly colour: string | undefined
}

/** A label: a dot of its colour, and its name in a colour that is readable in any case. */
export function LabelChip({ name, colour }: LabelChipProps) {
  return (
    <span className={classes['label']} title={name}>
      <LabelDot colour={colour} />
      <bdi className={classes['name']}>{name}</bdi>
    </span>
  )
}

export function LabelDot({ colour }: Pick<LabelChipProps, 'colour'>) {
  return (
    <span className={classes['dot']} style={{ '--colour': colour } as CSSProperties} aria-hidden="true" />
  )
}
