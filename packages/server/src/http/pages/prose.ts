import { codeName } from './code.ts'
import { type Fragment, html } from './page.ts'

/** A line of text with `code` and **strong**, as in the contract's descriptions. */
export function prose(text: string): Fragment {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return codeName(part.slice(1, -1))
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`
    return part
  })
}

/** Paragraphs of {@link prose}, separated by empty lines. */
export function paragraphs(text: string): Fragment {
  return text.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>\n`)
}

/** Values as code, separated by spaces. */
export function codeList(values: readonly unknown[]): Fragment {
  return values.map((value, index) => html`${index > 0 ? ' ' : ''}${codeName(String(value))}`)
}
