import { describe, expect, it } from 'vitest'
import { numbersCovered } from './search-bounds.ts'
import { matchesSearch, parseSearch } from './search-query.ts'
import { tokenize, tokensOfIssue } from './tokens.ts'

/** Terms as "a b|c*": tokens separated by spaces, terms by bars, a star for a prefix. */
function show(q: string): string {
  return parseSearch(q)
    .map(({ tokens, isPrefix }) => tokens.join(' ') + (isPrefix ? '*' : ''))
    .join('|')
}

const finds = (q: string, title: string, description: string | null = null) =>
  matchesSearch(parseSearch(q), tokensOfIssue(title, description))

describe('a search is parsed into terms', () => {
  it.each<[rule: string, q: string, terms: string]>([
    ['words', 'blank Settings', 'blank|settings'],
    ['a prefix', 'sett* blank', 'sett*|blank'],
    ['a phrase', '"blank settings" screen', 'blank settings|screen'],
    ['a phrase with a star after it', '"blank sett"*', 'blank sett*'],
    ['a phrase with a star in it', '"blank sett* "', 'blank sett*'],
    ['a phrase right after a word', 'the"blank screen"now', 'the|blank screen|now'],
    ['typographic quotes', '“blank screen” «now then» „a b“', 'blank screen|now then|a b'],
    ['a word of several tokens is a phrase', 'foo-bar a.bc*', 'foo bar|a bc*'],
    ['a version is a phrase', '2.4.1', '2 4 1'],
    ['a quote that is never closed is skipped', '5" screen now', '5|screen|now'],
    ['a third quote is skipped', '"a b" "c d', 'a b|c|d'],
    ['empty phrases', '"" "*" " " ""*', ''],
    ['stars elsewhere separate', '*a b*c ** *', 'a|b c'],
    ['operators are words', 'AND a OR NOT (b) NEAR/2 col:c ^d', 'and|a|or|not|b|near 2|col c|d'],
    ['nothing', '', ''],
    ['no token', ' !? "—" * \0 \uD83D', ''],
    ['a null byte separates', 'a\0b', 'a b'],
    ['unpaired surrogates separate', '\uDC4Da\uD83D', 'a'],
    ['accents', 'CRÈME Straße*', 'creme|strasse*'],
    ['a single Han character is a prefix', '画 "の"', '画*|の*'],
    ['a run of Han is a phrase of pairs', '設定画面 操作*', '設定 定画 画面|操作'],
    ['a run ends within a phrase', '"壊れた iphone"', '壊れ れた た iphone'],
    ['mixed scripts', 'iPhone17が壊れた foo画', 'iphone17 が壊 壊れ れた|foo 画*'],
    ['Hangul is a prefix, unless it is quoted', '설정 "화면" "에서"*', '설정*|화면|에서*'],
    ['emoji', '💥 👨‍👩‍👧 👍🏽 🇩🇪', '💥|👨 👩 👧|👍|🇩🇪'],
    ['ideographic spaces separate words', 'a\u3000b', 'a|b'],
  ])('%s: %s', (_, q, terms) => {
    expect(show(q)).toBe(terms)
  })

  it.each<[rule: string, q: string, terms: string]>([
    ['equal terms are merged', 'a A "a" a', 'a'],
    ['equal prefixes are merged', 'et* '.repeat(30), 'et*'],
    ['a word of a phrase is implied by it', 'screen "blank screen" blank', 'blank screen'],
    ['a word that a phrase only begins with stays', '"blank sett"* sett', 'blank sett*|sett'],
    ['a prefix of another term is implied by it', 'sett* settings se*', 'settings'],
    ['a prefix of a prefix', 'se* sett*', 'sett*'],
    ['a prefix of one letter or digit is ignored', 'e* 7* login', 'login'],
    ['also in another script', 'п* ё* ε* login', 'login'],
    ['it is ignored at the end of a phrase', '"blank screen o*" a.b*', 'blank screen|a'],
    ['alone, it gives no terms', 'e*', ''],
    ['a single emoji is a whole token', '💥*', '💥'],
    ['one character of Han, kana or Hangul is enough', '画* の* 설*', '画*|の*|설*'],
  ])('within bounds: %s: %s', (_, q, terms) => {
    expect(show(q)).toBe(terms)
  })

  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`)

  it('has at most 16 terms', () => {
    expect(show(words(100).join(' '))).toBe(words(16).join('|'))
  })

  it('has at most 4 prefixes; further ones are ignored', () => {
    const starred = ['aa*', 'bb*', 'cc*', 'dd*', 'ee*', 'ff*', 'word']
    expect(show(starred.join(' '))).toBe('aa*|bb*|cc*|dd*|word')
  })

  it('has at most 8 phrases of at most 16 words; the rest is ignored', () => {
    const phrases = words(10).map((word) => `${word} x`)
    expect(show(`${phrases.map((phrase) => `"${phrase}"`).join(' ')} word`)).toBe(
      [...phrases.slice(0, 8), 'word'].join('|'),
    )
    expect(show(`"${words(40).join(' ')}"*`)).toBe(words(16).join(' '))
  })

  it('never finds less by being trimmed', () => {
    const random = seededRandom(5)
    for (let round = 0; round < 2_000; round++) {
      const text = words(40).filter(() => random() < 0.7)
      const sought = Array.from(
        { length: 30 },
        () => `w${Math.floor(random() * 4)}${random() < 0.3 ? '*' : ''}`,
      )
      const q = [...sought, `"${text.join(' ')}"`, 'w*'].join(' ')
      const isThere = sought.every((word) =>
        text.some((found) => (word.endsWith('*') ? found.startsWith(word.slice(0, -1)) : found === word)),
      )
      if (isThere) expect(finds(q, text.join(' '))).toBe(true)
    }
  })

  it('covers fewer issues, the more words it has', () => {
    expect(numbersCovered(parseSearch('one'))).toBe(1_600_000)
    expect(numbersCovered(parseSearch(words(100).join(' ')))).toBe(100_000)
    expect(numbersCovered(parseSearch('"one two" three'))).toBe(533_333)
  })
})

describe('a search finds', () => {
  it.each<[q: string, text: string]>([
    ['settings', 'Blank Settings screen'],
    ['screen blank', 'Blank Settings screen'],
    ['sett*', 'Blank Settings screen'],
    ['"settings scr"*', 'Blank Settings screen'],
    ['creme', 'Crème brûlée'],
    ['CRÈME', 'creme brulee'],
    ['strasse', 'Falsche Straße'],
    ['STRAẞE', 'falsche strasse'],
    ['istanbul', 'İSTANBUL'],
    ['ISPARTA', 'ısparta'],
    ['οδος', 'ΟΔΟΣ'],
    ['2.4.1', 'since 2.4.1 it fails'],
    ['not', 'does NOT work'],
    ['定画', '設定画面が壊れた'],
    ['画', '設定画面'],
    ['面', '設定画面'],
    ['iPhone17 壊れた', 'iPhone17が壊れた'],
    ['"iPhone17 が壊れ"', 'iPhone17が壊れた'],
    ['ﾊﾞｸﾞ', 'このバグは'],
    ['설정', '설정에서 멈춤'],
    ['แอป*', 'แอปเปิดไม่ได้'],
    ['सेटिंग्स', 'सेटिंग्स नहीं'],
    ['يعمل', 'لا يعمل'],
    ['קורסת', 'האפליקציה קורסת'],
    ['💥', 'Crash💥'],
    ['👩', 'family 👨‍👩‍👧'],
    ['👨‍👩‍👧', 'family 👨‍👩‍👧!'],
    ['👍', 'fine 👍🏿'],
    ['🇩🇪', 'in 🇫🇷🇩🇪'],
    [`${'a'.repeat(70)}`, `${'a'.repeat(80)}`],
  ])('%s in %s', (q, text) => {
    expect(finds(q, text)).toBe(true)
    expect(finds(q, 'Title', text)).toBe(true)
  })

  it.each<[q: string, text: string, why: string]>([
    ['sett', 'Blank Settings screen', 'half a word'],
    ['tings*', 'Blank Settings screen', 'the end of a word'],
    ['"blank screen"', 'Blank Settings screen', 'words that do not follow each other'],
    ['"screen settings"', 'Blank Settings screen', 'words in another order'],
    ['blank toast', 'Blank Settings screen', 'only one of two words'],
    ['2.4.1', 'since 2.4 it fails, 1 of 2', 'the parts of a version'],
    ['画定', '設定画面', 'characters in another order'],
    ['設面', '設定画面', 'characters that do not follow each other'],
    ['"설정"', '설정에서', 'a quoted word that continues'],
    ['정에서', '설정에서', 'the end of a Korean word'],
    ['🇪🇫', 'in 🇩🇪🇫🇷', 'halves of two flags'],
    ['💥', 'boom', 'a missing emoji'],
  ])('not: %s in %s (%s)', (q, text) => {
    expect(finds(q, text)).toBe(false)
  })

  it('phrases in title or description, never across', () => {
    expect(finds('"b c"', 'a b c', 'd')).toBe(true)
    expect(finds('"b c"', 'a b', 'c d')).toBe(false)
    expect(finds('"b ¦ c"', 'a b', 'c d')).toBe(false)
    expect(finds('定画', '設定', '画面')).toBe(false)
    expect(finds('b c', 'a b', 'c d')).toBe(true)
  })

  it('every word of a text, and every quoted pair of neighbours', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 2_000; round++) {
      const text = randomText(random, 12)
      const words = text.split(/[\s"“”„«»＂]+/).filter((word) => tokenize(word).length > 0)
      const pairs = words.slice(1).map((word, index) => `"${words[index]} ${word}"`)
      const missed = [...words, ...pairs].filter((q) => !finds(q, 'Title', words.join(' ')))
      expect({ text, missed }).toEqual({ text, missed: [] })
    }
  })

  it('without an error for any query', () => {
    const random = seededRandom(11)
    for (let round = 0; round < 5_000; round++) {
      const q = Array.from({ length: 40 }, () => randomCharacter(random)).join('')
      const terms = parseSearch(q)
      expect(terms.every(({ tokens }) => tokens.length > 0)).toBe(true)
      expect(matchesSearch(terms, tokenize('a b'))).toBeTypeOf('boolean')
    }
  })
})

const ALPHABETS = [
  'abcXYZ019',
  'éßİıøÅﬁ½',
  'ΣσςΩ',
  'ابتُ',
  'אבג',
  'सेटिंग्स',
  'แอปได้',
  '한글설정',
  '設定画面',
  'がバーﾊﾞ',
  '👍🏽👩‍💻🇩🇪❤️',
  `"*-_.'“”¦\0`,
]

function randomText(random: () => number, words: number): string {
  const word = () => Array.from({ length: 1 + random() * 5 }, () => randomCharacter(random)).join('')
  return Array.from({ length: words }, word).join(' ')
}

/** Mostly from the scripts above, occasionally any code unit, including unpaired surrogates. */
function randomCharacter(random: () => number): string {
  if (random() < 0.05) return String.fromCharCode(random() * 0x10000)
  const alphabet = Array.from(ALPHABETS[Math.floor(random() * ALPHABETS.length)] ?? '')
  return alphabet[Math.floor(random() * alphabet.length)] ?? ''
}

/** Mulberry32: the same numbers in every run. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
