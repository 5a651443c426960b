import { Lexer, type Token, Tokenizer } from 'marked'

/** Deeper markup stays text: every level takes a level of the call stack. */
const MAX_DEPTH = 12

/** The parser looks for the end of each of these marks in the whole text. A text with more of them stays text. */
const MARK = /[*_~[\]]/g
const MAX_MARKS = 500

/** The blocks of a Markdown text. HTML, tables, footnotes and definitions of links are not markup here: they stay text. */
export function lexMarkdown(text: string): readonly Token[] {
  if ((text.match(MARK)?.length ?? 0) > MAX_MARKS) return [plainParagraph(text)]
  return new Lexer({ gfm: true, breaks: true, tokenizer: new SubsetTokenizer() }).lex(text)
}

function plainParagraph(text: string): Token {
  const tokens = text.split('\n').flatMap((line, index): Token[] => {
    const words: Token = { type: 'text', raw: line, text: line, escaped: false }
    return index === 0 ? [words] : [{ type: 'br', raw: '\n' }, words]
  })
  return { type: 'paragraph', raw: text, text, tokens }
}

/** Recognises a subset of Markdown, up to a depth. What a method does not recognise stays text. */
class SubsetTokenizer extends Tokenizer {
  #depth = 0

  override html(): undefined {}
  override tag(): undefined {}
  override def(): undefined {}
  override reflink(): undefined {}
  override table(): undefined {}
  override lheading(): undefined {}

  override blockquote(...given: Parameters<Tokenizer['blockquote']>) {
    return this.#nest(() => super.blockquote(...given))
  }

  override list(...given: Parameters<Tokenizer['list']>) {
    return this.#nest(() => super.list(...given))
  }

  override emStrong(...given: Parameters<Tokenizer['emStrong']>) {
    return this.#nest(() => super.emStrong(...given))
  }

  override del(...given: Parameters<Tokenizer['del']>) {
    return this.#nest(() => super.del(...given))
  }

  override link(...given: Parameters<Tokenizer['link']>) {
    return this.#nest(() => super.link(...given))
  }

  #nest<T>(recognise: () => T | undefined): T | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined
    this.#depth++
    try {
      return recognise()
    } finally {
      this.#depth--
    }
  }
}
