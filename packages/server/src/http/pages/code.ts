import { highlight } from './highlight.ts'
import { type Fragment, type Html, html } from './page.ts'

/** What documents call the server in their examples. */
const EXAMPLE_URLS = /(http:\/\/127\.0\.0\.1:4000|https:\/\/bugs\.example\.com)(?![\w.:-])/
/** A longer name may be broken; what fits on the line of a phone may not. */
const MAX_UNBROKEN_CHARS = 32

interface CodeText {
  readonly text: string
  /** The language and, after a space, notes for those who run the example. */
  readonly lang?: string | undefined
}

/**
 * An example, coloured by its language. It names this server by its public URL. If there is none, the page puts in the
 * address it was opened at: the server does not repeat what a client calls it.
 */
export function codeBlock({ text, lang = '' }: CodeText, publicUrl: string | null): Html {
  const [language = ''] = lang.split(/\s/, 1)
  const pieces = highlight(text, language).map(({ kind, text: piece }): Fragment => {
    const content = nameServer(piece, publicUrl)
    return kind === 'plain' ? content : html`<span class="code-${kind}">${content}</span>`
  })
  return html`<pre><code>${pieces}</code></pre>`
}

/** Code in running text. */
export function codeName(text: string): Html {
  if (text.length <= MAX_UNBROKEN_CHARS && !/\s/.test(text)) return html`<code>${text}</code>`
  // Between words, and after what separates the parts of a name.
  const parts = text.split(/(?<=[\w}\])][._,])(?=\w)/)
  return html`<code class="long">${parts.map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}</code>`
}

/** A value as indented JSON. */
export function jsonBlock(value: unknown): Html {
  return codeBlock({ text: JSON.stringify(value, null, 2), lang: 'json' }, null)
}

function nameServer(text: string, publicUrl: string | null): Fragment {
  return text.split(EXAMPLE_URLS).map((part, index) => {
    // The odd parts are what the pattern has found.
    if (index % 2 === 0) return part
    return publicUrl ?? html`<span class="server-url">${part}</span>`
  })
}
