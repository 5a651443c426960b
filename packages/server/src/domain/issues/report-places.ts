import type { StoredIssue } from '../../model/issues.ts'
import type { MergedReport } from '../../storage/ports/issues.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../cursors.ts'

/** How far a list of the reports of an issue and of its duplicates has come: the last number listed, by issue number. */
export type Places = ReadonlyMap<number, number>

export function placesAfter(places: Places, listed: readonly MergedReport[], isDistinct: boolean): Places {
  const after = new Map(places)
  for (const { issue, report } of listed)
    after.set(issue.issueNumber, isDistinct ? (report.textNumber ?? 0) : report.reportNumber)
  return after
}

/** One number while only reports of the issue itself were listed, as for an issue without duplicates; otherwise pairs. */
export function encodePlaces(list: readonly unknown[], issue: StoredIssue, places: Places): string {
  const own = places.get(issue.issueNumber)
  return encodeCursor(list, own !== undefined && places.size === 1 ? [own] : [...places].flat())
}

export function decodePlaces(list: readonly unknown[], cursor: string, issue: StoredIssue): Places {
  const numbers = decodeCursor(list, cursor)
  if (!numbers.every(isStorable)) throw invalidCursor()
  if (numbers.length === 1) return new Map([[issue.issueNumber, numbers[0] ?? 0]])
  if (numbers.length === 0 || numbers.length % 2 !== 0) throw invalidCursor()
  return new Map(pairsOf(numbers))
}

function pairsOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const pairs = numbers.map((number, index) => [number, numbers[index + 1] ?? 0] as const)
  return pairs.filter((_, index) => index % 2 === 0)
}

/** The databases store these numbers as 32-bit integers. */
function isStorable(number: number): boolean {
  return number >= 0 && number < 2 ** 31
}
