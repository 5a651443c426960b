import type { Random } from '../packages/server/src/demo/random.ts'

const MADE_WORDS = 8_000

const COMMON = `the and to of a in on when it is not app screen after then button opens crash list back shows
  settings blank with tap page error again saved phone sign update loading slow photo message search wrong
  missing nothing account map offline twice login file stays keyboard menu dark video sound sync notification
  scroll empty closes freeze wait second first last every before while`.split(/\s+/)

const SYLLABLES = 'ba de fi go ku la me ni po ru sa te vi wo xa ze bri cla dro fle gru ski sto tra'.split(' ')

/** Words by frequency: real ones first, then an unlimited number of generated ones. */
const WORDS = [...COMMON, ...Array.from({ length: MADE_WORDS }, (_, index) => madeWord(index))]

/** A random word with the frequency of Zipf's law. */
export function someWord(random: Random): string {
  const rank = Math.floor(WORDS.length ** random.fraction()) - 1
  return WORDS[rank] ?? 'the'
}

export function someWords(random: Random, count: number): string {
  return Array.from({ length: count }, () => someWord(random)).join(' ')
}

function madeWord(index: number): string {
  const parts: string[] = []
  for (let rest = index + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    parts.push(SYLLABLES[rest % SYLLABLES.length] ?? '')
  }
  return parts.join('')
}
