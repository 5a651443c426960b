export const MAX_TOKEN_CHARS = 64
// Enough for that many characters in their longest form: two decomposed ones outside the basic multilingual plane.
const MAX_SPELLED_UNITS = 4 * MAX_TOKEN_CHARS

/** A title and a description: of an issue, or of one of its reports. */
export interface SearchedText {
  readonly title: string
  readonly description: string | null
}

/**
 * Separates titles and descriptions. It is neither a letter nor an emoji, so no text and no query produces this
 * token, and no phrase can match across it.
 */
export const BORDER = '¦'

/**
 * The words of a text, in the form in which both databases index and find them: with case and accents folded, Han and
 * kana as pairs, and each emoji as a token. The only ASCII characters in tokens are a–z and 0–9. In other scripts
 * without spaces (Thai, Lao, Khmer), word boundaries are expensive to find: a run is one word, found by its beginning.
 */
export function tokenize(text: string): string[] {
  if (!NON_ASCII.test(text)) return (text.toLowerCase().match(ASCII_WORDS) ?? []).map(cut)
  const tokens: string[] = []
  for (const piece of text.replace(INVISIBLE, '').match(PIECES) ?? []) {
    if (!NON_ASCII.test(piece)) tokens.push(cut(piece.toLowerCase()))
    else if (IS_WORD.test(piece)) addWords(tokens, piece)
    else tokens.push(piece)
  }
  return tokens
}

/** The tokens of an issue, in order. */
export function tokensOfIssue(title: string, description: string | null): readonly string[] {
  if (description === null) return tokenize(title)
  return [...tokenize(title), BORDER, ...tokenize(description)]
}

/** The tokens of the texts of its reports, in order. Each text begins with a border. */
export function tokensOfReports(texts: readonly SearchedText[]): readonly string[] {
  return texts.flatMap(({ title, description }) => [BORDER, ...tokensOfIssue(title, description)])
}

/** Whether a text is plain ASCII, so that its words can be found without folding. */
export function isPlainText(text: string): boolean {
  return !NON_ASCII.test(text)
}

/**
 * The tokens of an issue, joined by spaces, for an index that splits ASCII into words and folds its case by itself.
 * Plain ASCII is left unchanged.
 */
export function roughSearchText(title: string, description: string | null): string {
  if (description === null) return roughText(title)
  return `${roughText(title)} ${BORDER} ${roughText(description)}`
}

/** Whether a token is Han or kana: a pair of neighbours, or the single character that ends a run. */
export function isHanOrKana(token: string): boolean {
  return IS_HAN_OR_KANA.test(token)
}

function roughText(text: string): string {
  const isPlain = !NON_ASCII.test(text) && !LONG_WORD.test(text)
  return isPlain ? text : tokenize(text).join(' ')
}

const NON_ASCII = /[^\0-\x7F]/
const ASCII_WORDS = /[a-z0-9]+/g
const LONG_WORD = new RegExp(`(?:^|[^A-Za-z0-9])[A-Za-z0-9]{${MAX_TOKEN_CHARS + 1}}`)

const WORD_CHARACTER = String.raw`[\p{L}\p{M}\p{N}]`
// The two marks are the voicing marks of kana, which are separate characters in half-width and decomposed kana.
const HAN_OR_KANA = String.raw`[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]&&[\p{L}\p{N}\u3099\u309A]]`
const WORD = `${HAN_OR_KANA}+|[${WORD_CHARACTER}--${HAN_OR_KANA}]+`
// Two regional indicators are a flag. Pictographs below U+231A (©, ™, ‼, arrows) are not meant as emoji.
const EMOJI = String.raw`\p{RI}{1,2}|[\p{ExtPict}--[\0-\u2319]]`
const WORDS = new RegExp(WORD, 'gv')
const PIECES = new RegExp(`${WORD}|${EMOJI}`, 'gv')
const IS_WORD = new RegExp(`^${WORD_CHARACTER}`, 'v')
const IS_HAN_OR_KANA = new RegExp(`^${HAN_OR_KANA}`, 'v')

// Accents, and characters that change the appearance of a text but not its meaning: soft hyphens, joiners, keycaps, Han
// tone marks, variation selectors. Joined emoji become adjacent tokens: 👩‍💻 is found by 👩, and as a phrase.
const ACCENT = String.raw`\u0300-\u036F`
const INVISIBLE = new RegExp(
  String.raw`[${ACCENT}\xAD\u200C\u200D\u2060\uFEFF\u20D0-\u20FF\u302A-\u302D\p{Variation_Selector}]`,
  'gv',
)
const ACCENTS = new RegExp(`[${ACCENT}]`, 'g')

// Letters that Unicode does not decompose, and the final sigma.
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
}
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g')

// Folding can turn one word into several: ½ is 1⁄2, and ﷺ is a sentence.
function addWords(tokens: string[], piece: string): void {
  for (const word of fold(piece).match(WORDS) ?? []) {
    if (isHanOrKana(word)) addPairs(tokens, word)
    else tokens.push(cut(word))
  }
}

/** Composed again at the end, so that a Hangul syllable or a voiced kana is one character. */
function fold(piece: string): string {
  // Normalization sorts combining marks in quadratic time: 32,000 of them take seconds. Only runs of Han and kana have
  // none to sort.
  const bounded = isHanOrKana(piece) ? piece : piece.slice(0, MAX_SPELLED_UNITS)
  return bounded
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC')
}

/** 設定画 becomes 設定, 定画, 画: any part of it can be found as a phrase of pairs, and so can its last character. */
function addPairs(tokens: string[], run: string): void {
  const characters = Array.from(run)
  for (const [index, character] of characters.entries()) {
    tokens.push(character + (characters[index + 1] ?? ''))
  }
}

function cut(word: string): string {
  if (word.length <= MAX_TOKEN_CHARS) return word
  return Array.from(word.slice(0, 2 * MAX_TOKEN_CHARS))
    .slice(0, MAX_TOKEN_CHARS)
    .join('')
}
