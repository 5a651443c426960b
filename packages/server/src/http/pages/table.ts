import { type Fragment, type Html, html } from './page.ts'

interface Table {
  /** Says what the rows are; also names the table to a screen reader. */
  readonly caption: string
  readonly headings: readonly string[]
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly Fragment[])[]
  readonly kind?: 'members'
}

/** A table that stacks its cells on a narrow screen. */
export function table({ caption, headings, rows, kind }: Table): Html {
  // The roles are spelled out: browsers forget them once the style takes cells out of their table layout.
  return html`<table role="table"${kind && html` class="${kind}"`}>
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${headings.map(headingCell)}</tr></thead>
<tbody role="rowgroup">
${rows.map(row)}</tbody>
</table>
`
}

function headingCell(heading: string): Html {
  return html`<th role="columnheader" scope="col">${heading}</th>`
}

function row([name, ...cells]: readonly Fragment[]): Html {
  return html`<tr role="row"><th role="rowheader" scope="row">${name}</th>${cells.map(cell)}</tr>
`
}

function cell(content: Fragment): Html {
  return html`<td role="cell">${content}</td>`
}
