import { ISSUE_SORTS, MAX_SEARCH_CHARS } from '@bugle/contract'
import { someWord } from '../../bench/texts.ts'
import type { Random } from '../../packages/server/src/demo/random.ts'

/** A query for `GET /v1/issues` with a random search of every kind of term. */
export function someSearch(random: Random): string {
  const terms = Array.from({ length: random.pick([1, 2, 3, 5, 20, 60]) }, () => someTerm(random))
  const q = terms.join(' ').slice(0, MAX_SEARCH_CHARS)
  const filters = [
    `sort=${random.pick(ISSUE_SORTS)}`,
    ...(random.chance(0.3) ? ['status=open'] : []),
    ...(random.chance(0.2) ? ['platform=ios,web'] : []),
    ...(random.chance(0.1) ? ['branch=nowhere'] : []),
    ...(random.chance(0.1) ? [`page=${random.integer(1, 100)}`] : []),
  ]
  return `/v1/issues?pageSize=100&q=${encodeURIComponent(q)}&${filters.join('&')}`
}

function someTerm(random: Random): string {
  const word = someWord(random)
  switch (
    random.pick(['word', 'word', 'prefix', 'prefix', 'phrase', 'phrase of prefix', 'rare', 'symbols'])
  ) {
    case 'word':
      return word
    case 'prefix':
      return `${word.slice(0, random.integer(1, 3))}*`
    case 'phrase':
      return `"${Array.from({ length: random.integer(2, 8) }, () => someWord(random)).join(' ')}"`
    case 'phrase of prefix':
      return `"${word} ${someWord(random).slice(0, 1)}*"`
    case 'rare':
      return `nowhere${random.integer(0, 9)}`
    default:
      return random.pick(['"', '*', '""', '-a', '错误', '🐞', 'é*', '(', 'OR', "'"])
  }
}
