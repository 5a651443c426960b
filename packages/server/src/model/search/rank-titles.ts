import { tokenize } from './tokens.ts'

/** Ranks titles by the words that they share with a text. Words that few titles have count more. */
export interface TitleRanking {
  add(number: number, title: string): void
  /** The numbers of the titles that match, best first; among equal ones, the highest number first. */
  best(limit: number): readonly number[]
}

/** Words of a text that count. A title in Chinese or Japanese has a pair for each character. */
const MAX_WORDS = 50
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
  const wantedWords = new Set(wanted)
  const stems = new Map(wanted.map((word) => [stemOf(word), word]))
  const unfinished = unfinishedWord(text, wanted)
  const titles: (readonly [number: number, words: readonly string[]])[] = []
  const counts = new Map<string, number>()
  /** Of the words of all titles, once these are known. */
  let weights = new Map<string, number>()

  function weightOf(word: string): number {
    const known = weights.get(word)
    if (known !== undefined) return known
    const weight = weigh(word)
    weights.set(word, weight)
    return weight
  }

  /** Up to 1. A word that no title has is as rare as one that a single title has. */
  function weigh(word: string): number {
    const rarity = Math.log(1 + titles.length / (counts.get(word) ?? 1)) / Math.log(1 + titles.length)
    return Math.max(rarity, MIN_RARITY) * (SHORT_WORD.test(word) ? SHORT_WORD_WEIGHT : 1)
  }

  /** The word of the text that a word of a title stands for, and how sure that is. */
  function match(word: string): readonly [wanted: string, certainty: number] | undefined {
    if (wantedWords.has(word)) return [word, 1]
    const kin = stems.get(stemOf(word))
    if (kin !== undefined) return [kin, SAME_STEM]
    return unfinished !== undefined && word.startsWith(unfinished) ? [unfinished, BEGINNING] : undefined
  }

  /** How well a title matches; 0 if it does not. */
  function scoreOf(words: readonly string[], textWeight: number): number {
    const found = new Set<string>()
    let matched = 0
    let titleWeight = 0
    for (const word of words) {
      const weight = weightOf(word)
      titleWeight += weight
      const [target, certainty] = match(word) ?? []
      if (target === undefined || certainty === undefined || found.has(target)) continue
      found.add(target)
      matched += certainty * Math.max(weight, weightOf(target))
    }
    const share = matched / Math.min(textWeight, titleWeight)
    return matched >= MIN_WEIGHT && share >= MIN_SHARE ? matched / (textWeight + titleWeight) : 0
  }

  return {
    add(number, title) {
      const words = wordsOf(title)
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
      titles.push([number, words])
    },
    best(limit) {
      weights = new Map()
      const textWeight = sumOf(wanted.map(weightOf))
      return titles
        .map(([number, words]) => ({ number, score: scoreOf(words, textWeight) }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score || other.number - one.number)
        .slice(0, limit)
        .map(({ number }) => number)
    },
  }
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

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
