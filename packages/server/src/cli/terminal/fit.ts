/** Cuts every line to the width of the terminal. */
export function fit(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => fitLine(line, columns))
    .join('\n')
}

function fitLine(line: string, columns: number): string {
  // No code unit is wider than two columns.
  if (line.length * 2 <= columns) return line
  let width = 0
  let kept = ''
  let keptWithMark = ''
  for (const { segment } of segmentsOf(line)) {
    width += widthOfGrapheme(segment)
    if (width > columns) return `${keptWithMark}…`
    kept += segment
    if (width < columns) keptWithMark = kept
  }
  return kept
}

/** Wraps a text between words, and keeps its indentation. A word longer than a line stays whole, so that it can be copied. */
export function wrap(text: string, columns: number): readonly string[] {
  if (!Number.isFinite(columns)) return [text]
  const lines: string[] = []
  const [first = '', ...words] = text.split(' ')
  let line = first
  for (const word of words) {
    const longer = line === '' && lines.length > 0 ? word : `${line} ${word}`
    if (line.trim() !== '' && widthOf(longer) > columns) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/** How many columns a line takes. */
export function widthOf(line: string): number {
  if (/^[\x20-\x7e]*$/.test(line)) return line.length
  let width = 0
  for (const { segment } of segmentsOf(line)) width += widthOfGrapheme(segment)
  return width
}

/** Pads the text to the width of the column. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

function segmentsOf(line: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return graphemes.segment(line)
}

/** Created when it is first needed: that takes longer than most commands run. */
let graphemes: Intl.Segmenter | undefined
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u

/** Columns that a character takes: two for most of East Asia and for emoji. */
function widthOfGrapheme(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : 1
}
