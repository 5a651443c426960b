import type { IssueSelection, ListBounds, SearchTerm } from '../../../model/issue-lists.ts'
import type { KeyRange, Matches, MatchPlan } from '../../issues/lists/list-dialect.ts'
import { allAdHoc, type Operation } from '../../operations.ts'
import { BLOCK_ISSUES, blockOf, lexemePrefix, reportPrefix } from './search-index.ts'

/**
 * To search for a phrase, every issue that contains all its words has to be read. The cost is about this many
 * tenths of a microsecond, plus one for each word.
 */
const READ_WORK = 8

/**
 * The issues that match, in the order of their numbers. The index has no order and finds all matches of a query at once,
 * so it is queried block by block in the order of the list, until there are enough.
 */
export function* findMatches(plan: MatchPlan, { phraseWork }: ListBounds): Operation<Matches> {
  const blocks = blocksOf(plan.range, plan.direction)
  return hasPhrase(plan.selection)
    ? yield* findPhrases(plan, blocks, phraseWork)
    : yield* findWords(plan, blocks)
}

/** What the index alone can determine. */
function* findWords(plan: MatchPlan, blocks: readonly number[]): Operation<Matches> {
  const { seq, selection, range, direction, examined, counted } = plan
  const queries = blocks.map((block) => toTsquery(seq, selection, block, toPhrase))
  const [row] = yield* allAdHoc<{ numbers: string | null; count: number }>({
    text: `SELECT to_json((array_agg(m.n))[1:?])::text AS numbers, count(*) AS count FROM (
         SELECT m.n FROM unnest(CAST(string_to_array(?, chr(10)) AS tsquery[])) b (query) CROSS JOIN LATERAL (
           SELECT number AS n FROM search WHERE project = ? AND tokens @@ b.query
             AND ${IS_BETWEEN} AND ${isSpam(selection)} ORDER BY number + 0 ${direction} LIMIT ?
         ) m LIMIT ?
       ) m`,
    values: [examined, queries.join('\n'), seq, range.low, range.high, counted, counted],
  })
  const count = row?.count ?? 0
  return { rows: parseNumbers(row?.numbers), stoppedAt: null, total: count < counted ? count : null }
}

/** Some blocks at a time, as long as the next ones are not too expensive to read. */
function* findPhrases(plan: MatchPlan, blocks: readonly number[], maxWork: number): Operation<Matches> {
  const { selection, range, direction, counted } = plan
  const rowWork = READ_WORK + countTokens(selection)
  const rows: number[] = []
  let [done, work, size] = [0, 0, 1]
  while (done < blocks.length) {
    const step = blocks.slice(done, done + size)
    const { numbers, read } = yield* readPhrases(plan, step)
    rows.push(...numbers)
    done += step.length
    work += read * rowWork
    if (rows.length >= counted) return { rows, stoppedAt: null, total: null }
    const blockWork = Math.max(1, (read * rowWork) / step.length)
    // The first block is rarely full, so it is a poor estimate for the next.
    const growth = done === 1 ? 1 : 2
    size = Math.min(growth * size, Math.floor((maxWork - work) / blockWork))
    if (size < 1) break
  }
  const last = blocks[done - 1]
  if (last === undefined || done === blocks.length) return { rows, stoppedAt: null, total: rows.length }
  return { rows, stoppedAt: endOfBlock(last, range, direction), total: null }
}

function* readPhrases(
  { seq, selection, range, direction }: MatchPlan,
  blocks: readonly number[],
): Operation<{ readonly numbers: number[]; readonly read: number }> {
  const words = blocks.map((block) => toTsquery(seq, selection, block, toWords))
  const phrases = blocks.map((block) => toTsquery(seq, selection, block, toPhrase))
  const [row] = yield* allAdHoc<{ numbers: string | null; read: number }>({
    text: `SELECT (json_agg(m.n) FILTER (WHERE m.ok))::text AS numbers, count(*) AS read
       FROM unnest(CAST(string_to_array(?, chr(10)) AS tsquery[]), CAST(string_to_array(?, chr(10)) AS tsquery[]))
         b (words, query)
       CROSS JOIN LATERAL (
         SELECT number AS n, tokens @@ b.query AS ok FROM search WHERE project = ? AND tokens @@ b.words
           AND ${IS_BETWEEN} AND ${isSpam(selection)} ORDER BY number + 0 ${direction}
       ) m`,
    values: [words.join('\n'), phrases.join('\n'), seq, range.low, range.high],
  })
  return { numbers: parseNumbers(row?.numbers), read: row?.read ?? 0 }
}

// `+ 0` prevents PostgreSQL from using the primary key for the conditions on the number, which it would do
// without table statistics, examining every issue.
const IS_BETWEEN = 'number + 0 > ? AND number + 0 < ?'

function isSpam(selection: IssueSelection): string {
  return selection.isSpam ? 'is_spam' : 'is_spam IS NOT TRUE'
}

/** As JSON: the driver takes longer for thousands of rows. */
function parseNumbers(numbers: string | null | undefined): number[] {
  return JSON.parse(numbers ?? '[]') as number[]
}

function hasPhrase({ search }: IssueSelection): boolean {
  return search?.some(({ tokens }) => tokens.length > 1) === true
}

function countTokens({ search }: IssueSelection): number {
  return (search ?? []).reduce((sum, { tokens }) => sum + tokens.length, 0)
}

/** The last number of a block in the order of the list. */
function endOfBlock(block: number, { low, high }: KeyRange, direction: 'ASC' | 'DESC'): number {
  return direction === 'ASC'
    ? Math.min(high - 1, (block + 1) * BLOCK_ISSUES - 1)
    : Math.max(low + 1, block * BLOCK_ISSUES)
}

/** The blocks of a range, in the order of the list. */
function blocksOf({ low, high }: KeyRange, direction: 'ASC' | 'DESC'): readonly number[] {
  const first = blockOf(low + 1)
  const blocks = Array.from(
    { length: Math.max(0, blockOf(high - 1) - first + 1) },
    (_, index) => first + index,
  )
  return direction === 'DESC' ? blocks.reverse() : blocks
}

function toTsquery(
  seq: number,
  { search, lanes, searchesReports }: IssueSelection,
  block: number,
  write: (prefix: string, term: SearchTerm) => string,
): string {
  return lanes
    .map((lane) => {
      const prefixes = [lexemePrefix(seq, lane, block)]
      if (searchesReports) prefixes.push(reportPrefix(seq, lane, block))
      const terms = (search ?? []).map((term) => prefixes.map((prefix) => write(prefix, term)).join(' | '))
      return `(${terms.map((term) => `(${term})`).join(' & ')})`
    })
    .join(' | ')
}

function toPhrase(prefix: string, { tokens, isPrefix }: SearchTerm): string {
  const lexemes = tokens.map((token) => quoteLexeme(prefix + token)).join(' <-> ')
  return `(${lexemes}${isPrefix ? ':*' : ''})`
}

/** The words of a phrase in any order. */
function toWords(prefix: string, { tokens, isPrefix }: SearchTerm): string {
  const words = isPrefix ? tokens.slice(0, -1) : tokens
  const lexemes = [...new Set(words)].map((token) => quoteLexeme(prefix + token))
  const beginnings = (isPrefix ? tokens.slice(-1) : []).map((token) => `${quoteLexeme(prefix + token)}:*`)
  return `(${[...lexemes, ...beginnings].join(' & ')})`
}

/** A lexeme as PostgreSQL reads it: quoted, so that nothing a person types can become an operator. Tokens contain nothing to escape; even if they did, it would stay text. */
function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`
}
