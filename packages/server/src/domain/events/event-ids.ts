import type { Lane } from '../../model/lanes.ts'

/** How a position is counted: in all lanes, or within the open one. */
export type Counting = 'all' | 'open'

/** A position in a project's log, as given by a reader. Without `counting`, it is counted as the reader sees it. */
export interface LogPlace {
  readonly position: number
  readonly counting: Counting | null
}

export function countingIn(lanes: readonly Lane[]): Counting {
  return lanes.includes('security') ? 'all' : 'open'
}

/** The id of an event in a stream. It includes how its position is counted, so that a change of the reader's permissions is detected. */
export function eventIdOf(position: number, counting: Counting): string {
  return `${position}.${counting}`
}

/** The position in an id; `undefined` if it is not one of ours. Ids of earlier releases are only a position. */
export function readEventId(id: string): LogPlace | undefined {
  const [, position, counting = null] = /^(\d{1,15})(?:\.(all|open))?$/.exec(id) ?? []
  return position === undefined
    ? undefined
    : { position: Number(position), counting: counting as Counting | null }
}
