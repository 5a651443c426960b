import { type Fragment, type Html, html } from './page.ts'

interface Table {
  /** Describes the rows; also the name of the table for screen readers. */
  readonly caption: string
  readonly headings: readonly string[]
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly Fragment[])[]
  /** `labelled`: stacked cells show the name of their column. */
  readonly kind?: 'members' | 'labelled'
}

/** A table that stacks its cells on a narrow screen. */
export function table({ caption, headings, rows, kind }: Table): Html {
  // Explicit roles, because browsers drop them when the style changes the table layout.
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
