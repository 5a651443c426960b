/** Cuts every line to what fits on the terminal. */
export function fit(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => fitLine(line, columns))
    .join('\n')
}

function fitLine(line: string, columns: number): string {
  // Nothing is wider than two columns for each of its units.
  if (line.length * 2 <= columns) return line
  let width = 0
  let kept = ''
  let keptWithMark = ''
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of graphemes.segment(line)) {
    width += widthOf(segment)
    if (width > columns) return `${keptWithMark}…`
    kept += segment
    if (width < columns) keptWithMark = kept
  }
  return kept
}

/** Made when it is first needed: that takes longer than most commands do. */
let graphemes: Intl.Segmenter | undefined
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u

/** Columns that a character takes: two for most of East Asia and for emoji. */
function widthOf(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : 1
}
