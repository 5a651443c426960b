import type { Colours } from './colours.ts'
import { fit, pad, widthOf, wrap } from './fit.ts'
import { printable } from './printable.ts'

/** Where a table is shown. */
export interface Screen {
  /** The maximum width of a line; infinite without a terminal. */
  readonly columns: number
  readonly colours: Colours
}

export interface Column {
  readonly heading: string
  /** How to handle a value that is too wide. By default the column grows as needed: an id is never cut. */
  readonly overflow?: 'cut' | 'wrap'
  /** Columns with the highest number are left out first if space is short. */
  readonly leaveOut?: number
  /** Applied after measuring. */
  readonly paint?: (value: string, colours: Colours) => string
}

const GAP = '  '
/** The minimum width of values that are cut or wrapped. */
const LEAST = 20

/**
 * Rows with headings. If they do not fit, columns are left out, cut and wrapped as configured; if that is not
 * enough, each row becomes a paragraph with a line for each column.
 */
export function table(
  columns: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
  screen: Screen,
): string {
  const all = columns.map((column, index) =>
    measure(
      column,
      rows.map((row) => printable(row[index] ?? '')),
    ),
  )
  const shown = leaveOut(all, screen.columns)
  if (widthTogether(shown) > screen.columns) return paragraphs(all, screen)
  const widths = distribute(shown, screen.columns)
  const heading = shown.map(({ heading }, index) => pad(heading, widths[index] ?? 0)).join(GAP)
  const lines = rows.flatMap((_, row) => linesOf(shown, row, widths, screen.colours))
  return [screen.colours.faint(heading.trimEnd()), ...lines].join('\n')
}

/** Names and values, one pair per line. */
export function pairs(
  entries: readonly (readonly [name: string, value: string])[],
  { columns, colours }: Screen,
): string {
  const width = Math.max(...entries.map(([name]) => widthOf(name)))
  const indent = ' '.repeat(width + GAP.length)
  const room = columns - indent.length
  return entries
    .map(([name, value]) => {
      const lines = room < LEAST ? [printable(value)] : wrap(printable(value), room)
      return `${colours.faint(pad(name, width))}${GAP}${lines.join(`\n${indent}`)}`
    })
    .join('\n')
}

interface Measured extends Column {
  readonly cells: readonly string[]
  /** As wide as its widest cell. */
  readonly natural: number
  /** Its minimum width. */
  readonly least: number
}

function measure(column: string | Column, cells: readonly string[]): Measured {
  const given = typeof column === 'string' ? { heading: column } : column
  const natural = Math.max(widthOf(given.heading), ...cells.map(widthOf))
  return { ...given, cells, natural, least: given.overflow ? Math.min(natural, LEAST) : natural }
}

function widthTogether(columns: readonly Measured[]): number {
  return columns.reduce((sum, { least }) => sum + least, GAP.length * (columns.length - 1))
}

function leaveOut(columns: readonly Measured[], room: number): readonly Measured[] {
  const [first] = columns.filter((column) => column.leaveOut).sort((a, b) => rankOf(b) - rankOf(a))
  if (first === undefined || widthTogether(columns) <= room) return columns
  return leaveOut(
    columns.filter((column) => column !== first),
    room,
  )
}

function rankOf({ leaveOut = 0 }: Column): number {
  return leaveOut
}

/** Remaining space goes to the columns that can use it, from left to right. */
function distribute(columns: readonly Measured[], room: number): readonly number[] {
  let free = room - widthTogether(columns)
  return columns.map(({ natural, least }) => {
    const width = Math.min(natural, least + free)
    free -= width - least
    return width
  })
}

function linesOf(
  columns: readonly Measured[],
  row: number,
  widths: readonly number[],
  colours: Colours,
): readonly string[] {
  const cells = columns.map(({ cells, overflow }, index) => {
    const cell = cells[row] ?? ''
    return overflow === 'wrap' ? wrap(cell, widths[index] ?? 0) : [fit(cell, widths[index] ?? 0)]
  })
  const height = Math.max(...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) =>
    columns
      .map(({ paint }, index) => {
        const text = cells[index]?.[line] ?? ''
        const space = ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(text)))
        return (paint?.(text, colours) ?? text) + space
      })
      .join(GAP)
      .trimEnd(),
  )
}

function paragraphs(columns: readonly Measured[], screen: Screen): string {
  const [first, ...others] = columns
  if (first === undefined) return ''
  return first.cells
    .map((cell, row) => {
      const entries = others
        .map(({ heading, cells }) => [heading.toLowerCase(), cells[row] ?? ''] as const)
        .filter(([, value]) => value !== '')
      const below = pairs(entries, { ...screen, columns: screen.columns - GAP.length })
      return `${screen.colours.strong(cell)}\n${below.replaceAll(/^/gm, GAP)}`
    })
    .join('\n\n')
}
