import { type Fragment, type Html, html } from './page.ts'

interface Table {
  /** Says what the rows are; also names the table to a screen reader. */
  readonly caption: string
  readonly headings: readonly string[]
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly Fragment[])[]
  /** `labelled`: stacked cells say which column they are of. */
  readonly kind?: 'members' | 'labelled'
}

/** A table that stacks its cells on a narrow screen. */
export function table({ caption, headings, rows, kind }: Table): Html {
  // The roles are spelled out: browsers forget them once the style takes cells out of their table layout.
  return html`<table role="table"${kind && html` class="${kind}"`}>
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${headings.map(headingCell)}</tr></thead>
<tbody role="rowgroup">
${rows.map((cells) => row(cells, kind === 'labelled' ? headings : []))}</tbody>
</table>
`
}

function headingCell(heading: string): Html {
  return html`<th role="columnheader" scope="col">${heading}</th>`
}

function row([name, ...cells]: readonly Fragment[], [, ...labels]: readonly string[]): Html {
  return html`<tr role="row"><th role="rowheader" scope="row">${name}</th>${cells.map((content, index) => cell(content, labels[index]))}</tr>
`
}

function cell(content: Fragment, label: string | undefined): Html {
  return html`<td role="cell"${label && html` data-label="${label}"`}>${content}</td>`
}
