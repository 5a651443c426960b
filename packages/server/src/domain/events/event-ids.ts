import type { Lane } from '../../model/lanes.ts'

/** How a position is counted: in all lanes, or within the open one. */
export type Counting = 'all' | 'open'

/** A place in a project's log, as a reader names it. Without a counting it is taken for the reader's own. */
export interface LogPlace {
  readonly position: number
  readonly counting: Counting | null
}

export function countingIn(lanes: readonly Lane[]): Counting {
  return lanes.includes('security') ? 'all' : 'open'
}

/** The id of an event in a stream. It says how its position is counted, so that a reader whose rights have changed is noticed. */
export function eventIdOf(position: number, counting: Counting): string {
  return `${position}.${counting}`
}

/** The place that an id names; `undefined` if it is none of ours. Ids of earlier releases are only a position. */
export function readEventId(id: string): LogPlace | undefined {
  const [, position, counting = null] = /^(\d{1,15})(?:\.(all|open))?$/.exec(id) ?? []
  return position === undefined
    ? undefined
    : { position: Number(position), counting: counting as Counting | null }
}
