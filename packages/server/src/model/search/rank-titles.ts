import { tokenize } from './tokens.ts'

/** Ranks titles by the words that they share with a text. Words that few titles have count more. */
export interface TitleRanking {
  add(number: number, title: string): void
  /** The numbers of the titles that match, best first; among equal ones, the highest number first. */
  best(limit: number): readonly number[]
}

/** Words of a text that count. A title in Chinese or Japanese has a pair for each character. */
const MAX_WORDS = 50
/** Twice as many as a project can publish. */
const MAX_KEPT_TITLES = 4_000
/** Words with this many characters in common count as forms of one word: crash and crashes, rotate and rotating. */
const STEM_CHARS = 5
const SAME_STEM = 0.8
/** What the last word is worth, which may not be typed to its end. */
const BEGINNING = 0.6
const MIN_BEGINNING_CHARS = 2
/** A word that all titles have still counts. */
const MIN_RARITY = 0.25
/** Most of the shortest words say little: the, is, of. */
const SHORT_WORD = /^[a-z]{1,3}$/
const SHORT_WORD_WEIGHT = 0.25
/** How much of a text, or of a title, the words that they share must make up. */
const MIN_SHARE = 0.4
/** A short word alone is enough only if few titles have it. */
const MIN_WEIGHT = 0.2

export function rankTitles(text: string): TitleRanking {
  const wanted = wordsOf(text)
  const indexes = new Map(wanted.map((word, index) => [word, index]))
  const stems = new Map(wanted.map((word, index) => [stemOf(word), index]))
  const unfinished = unfinishedWord(text, wanted)
  const matches: Match[] = []
  /** For each word of the text, how many titles have it, and the last of them. */
  const counts = wanted.map(() => 0)
  const lastTitles = wanted.map(() => 0)
  let titleCount = 0

  /** How sure it is that a word of a title is this word of the text. */
  function certaintyOf(word: string, index: number): number {
    if (word === wanted[index]) return 1
    return stems.get(stemOf(word)) === index ? SAME_STEM : BEGINNING
  }

  /** Which word of the text a word of a title stands for. */
  function find(word: string): number | undefined {
    const index = indexes.get(word) ?? stems.get(stemOf(word))
    if (index !== undefined) return index
    return unfinished !== undefined && word.startsWith(unfinished) ? wanted.length - 1 : undefined
  }

  return {
    add(number, title) {
      titleCount++
      const found: number[] = []
      const certainties: number[] = []
      let others = 0
      for (const word of wordsOfTitle(title)) {
        const index = find(word)
        if (index === undefined) others += lengthWeight(word)
        else if (lastTitles[index] !== titleCount) {
          lastTitles[index] = titleCount
          counts[index] = (counts[index] ?? 0) + 1
          found.push(index)
          certainties.push(certaintyOf(word, index))
        }
      }
      if (found.length > 0) matches.push({ number, found, certainties, others })
    },
    best(limit) {
      const weights = wanted.map(
        (word, index) => rarityOf(counts[index] ?? 0, titleCount) * lengthWeight(word),
      )
      const textWeight = weights.reduce((sum, weight) => sum + weight, 0)
      return matches
        .map((match) => ({ number: match.number, score: scoreOf(match, weights, textWeight) }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score || other.number - one.number)
        .slice(0, limit)
        .map(({ number }) => number)
    },
  }
}

/** A title that has words of the text. */
interface Match {
  readonly number: number
  /** The indexes of these words. */
  readonly found: readonly number[]
  /** How sure it is that the title has each of them. */
  readonly certainties: readonly number[]
  /** The weight of the other words of the title. */
  readonly others: number
}

/** How well a title matches; 0 if it does not. */
function scoreOf(
  { found, certainties, others }: Match,
  weights: readonly number[],
  textWeight: number,
): number {
  let matched = 0
  let titleWeight = others
  for (const [place, index] of found.entries()) {
    const weight = weights[index] ?? 0
    matched += (certainties[place] ?? 0) * weight
    titleWeight += weight
  }
  const share = matched / Math.min(textWeight, titleWeight)
  return matched >= MIN_WEIGHT && share >= MIN_SHARE ? matched / (textWeight + titleWeight) : 0
}

/** 1 for a word that at most one title has, and less the more titles have it. */
function rarityOf(count: number, titleCount: number): number {
  const rarity = Math.log(1 + titleCount / Math.max(count, 1)) / Math.log(1 + titleCount)
  return Math.max(rarity, MIN_RARITY)
}

function lengthWeight(word: string): number {
  return SHORT_WORD.test(word) ? SHORT_WORD_WEIGHT : 1
}

/** Published titles are searched again and again, and splitting them takes most of the time of a search. What people type is not kept. */
const split = new Map<string, readonly string[]>()

function wordsOfTitle(title: string): readonly string[] {
  const known = split.get(title)
  if (known !== undefined) return known
  const words = tokenize(title).slice(0, MAX_WORDS)
  if (split.size >= MAX_KEPT_TITLES) split.clear()
  split.set(title, words)
  return words
}

/** The different words of a text, in their order. */
function wordsOf(text: string): readonly string[] {
  return [...new Set(tokenize(text))].slice(0, MAX_WORDS)
}

function stemOf(word: string): string {
  return word.slice(0, STEM_CHARS)
}

/** The last word, unless something follows it. */
function unfinishedWord(text: string, words: readonly string[]): string | undefined {
  const last = words.at(-1)
  if (last === undefined || last.length < MIN_BEGINNING_CHARS) return undefined
  return /[\p{L}\p{M}\p{N}]$/u.test(text) ? last : undefined
}
