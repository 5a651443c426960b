import type { HTMLAttributes } from 'react'

/** A cell of a row. */
export function Cell(props: HTMLAttributes<HTMLSpanElement>) {
  // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in part
  // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and refers to the current row
  return <span role="gridcell" {...props} />
}
