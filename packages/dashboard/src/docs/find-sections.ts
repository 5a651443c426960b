/** A part of the documentation, as the server lists it. */
export interface Section {
  readonly title: string
  readonly path: string
  /** The title of the page it is on. */
  readonly page: string
  readonly text: string
}

export interface Finding extends Section {
  /** The text around the first match. */
  readonly excerpt: string
}

const MAX_FINDINGS = 12
const EXCERPT_CHARS = 110
/** How much of an excerpt comes before the match. */
const LEAD_CHARS = 30

/** The words of a query, normalised for the search. */
export function wordsOf(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean)
}

/** The sections that contain every word of the query, the best first. */
export function findSections(sections: readonly Section[], query: string): readonly Finding[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FINDINGS)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }))
}

/** Each word scores by its best match. 0 if a word is missing. */
function scoreOf({ title, page, text }: Section, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    const points = Math.max(4 * weigh(title, word), 2 * weigh(page, word), weigh(text, word))
    if (points === 0) return 0
    score += points
  }
  // The page about the subject ranks above its sections.
  return title === page ? score * 1.2 : score
}

/** A whole word scores highest, a prefix higher than a match inside a word. */
function weigh(text: string, word: string): number {
  const lower = text.toLowerCase()
  let best = 0
  for (let at = lower.indexOf(word); at !== -1 && best < 3; at = lower.indexOf(word, at + 1)) {
    const begins = !/\w/.test(lower[at - 1] ?? ' ')
    const ends = !/\w/.test(lower[at + word.length] ?? ' ')
    best = Math.max(best, begins && ends ? 3 : begins ? 2 : 1)
  }
  return best
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at !== -1)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const start = first <= LEAD_CHARS ? 0 : text.lastIndexOf(' ', first - LEAD_CHARS) + 1
  const end = start + EXCERPT_CHARS
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()}${end < text.length ? ' …' : ''}`
}
