import type { Dialect } from '../../dialects.ts'
import { CODES } from '../lane-codes.ts'

/** How many issues of a project a lane has in a status. A status may occur several times, to be added up. */
export type StatusCounter = readonly [lane: number, status: string, count: number]

/** All of these counters of a project as `statuses`, one text: that is faster than a row for each. */
export function selectStatuses({ textOf, counts }: Dialect, project: string): string {
  return `SELECT ${textOf('lane', 'value', 'count')} AS statuses FROM ${counts}
    WHERE project = ${project} AND lane IN (${Object.values(CODES).join(', ')}) AND dimension = 'status'`
}

/** `null`: there are none yet. */
export function parseStatuses(text: string | null): readonly StatusCounter[] {
  if (text === null) return []
  return text.split(',').map((counter) => {
    const [lane, status = '', count] = counter.split(' ')
    return [Number(lane), status, Number(count)]
  })
}

export function sumOf(
  statuses: readonly StatusCounter[],
  codes: readonly number[],
  isIncluded: (status: string) => boolean = () => true,
): number {
  let sum = 0
  for (const [lane, status, count] of statuses) if (codes.includes(lane) && isIncluded(status)) sum += count
  return sum
}
