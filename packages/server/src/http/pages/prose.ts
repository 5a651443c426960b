import { type Fragment, type Html, html } from './page.ts'

/** A line of text in which `code` and **strong** are set off, as in the contract's descriptions. */
export function prose(text: string): Fragment {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
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
  return values.map((value, index) => html`${index > 0 ? ' ' : ''}<code>${String(value)}</code>`)
}

/** A value as indented JSON, with its member names set off. */
export function jsonBlock(value: unknown): Html {
  const lines = JSON.stringify(value, null, 2).split('\n')
  return html`<pre><code>${lines.map((line, index) => [index > 0 ? '\n' : '', jsonLine(line)])}</code></pre>`
}

const MEMBER_LINE = /^(\s*)("(?:[^"\\]|\\.)*"):(.*)$/

function jsonLine(line: string): Fragment {
  const [, indent, name, rest] = MEMBER_LINE.exec(line) ?? []
  if (name === undefined) return line
  return html`${indent}<span class="name">${name}</span>:${rest}`
}
