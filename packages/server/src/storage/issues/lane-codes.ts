import type { Lane } from '../../model/lanes.ts'

export const LANE_CODES: Readonly<Record<Lane, number>> = { open: 0, security: 1 }

export function laneOfCode(code: number): Lane {
  return code === LANE_CODES.security ? 'security' : 'open'
}

/** The lanes are nested: a caller who sees the second sees the first. */
export function highestLane(lanes: readonly Lane[]): number {
  return Math.max(...lanes.map((lane) => LANE_CODES[lane]))
}
