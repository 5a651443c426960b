import type { Lane } from '../../model/lanes.ts'

export const LANE_CODES: Readonly<Record<Lane, number>> = { open: 0, security: 1 }

export function laneOfCode(code: number): Lane {
  return code === LANE_CODES.security ? 'security' : 'open'
}

/** The lanes that readers of this one see: they are nested. */
export function lanesUpTo(lane: Lane): readonly number[] {
  return Object.values(LANE_CODES).filter((code) => code <= LANE_CODES[lane])
}

/** The lanes are nested: a caller who sees the second sees the first. */
export function highestLane(lanes: readonly Lane[]): number {
  return Math.max(...lanes.map((lane) => LANE_CODES[lane]))
}
