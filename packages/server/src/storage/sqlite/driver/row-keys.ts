/** Keys of issues and events: the project's sequence number above, the number within the project below. */

const NUMBERS_PER_PROJECT = 2 ** 32

export function rowKey(projectSeq: number, number: number): number {
  return projectSeq * NUMBERS_PER_PROJECT + number
}

export function numberOf(row: number): number {
  return row % NUMBERS_PER_PROJECT
}

/** The project of a key. */
export function projectSeqOf(row: number): number {
  return Math.floor(row / NUMBERS_PER_PROJECT)
}

/** The keys of a project are between these two, both excluded. */
export function keyRange(projectSeq: number): { readonly low: number; readonly high: number } {
  return { low: rowKey(projectSeq, 0), high: rowKey(projectSeq + 1, 0) }
}
