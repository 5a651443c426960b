import { highlight } from './highlight.ts'
import { type Fragment, type Html, html } from './page.ts'

/** The server's address in the examples of documents. */
const EXAMPLE_URLS = /(http:\/\/127\.0\.0\.1:4000|https:\/\/bugs\.example\.com)(?![\w.:-])/
/** Longer names may be broken; shorter ones fit on a line on a phone. */
const MAX_UNBROKEN_CHARS = 32

interface CodeText {
  readonly text: string
  /** The language and, after a space, notes for those who run the example. */
  readonly lang?: string | undefined
}

/**
 * An example, coloured by its language. It uses the public URL of this server. If there is none, the page inserts the
 * address it was opened at: the server does not trust the `Host` header.
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
    // The odd parts are the matches.
    if (index % 2 === 0) return part
    return publicUrl ?? html`<span class="server-url">${part}</span>`
  })
}
