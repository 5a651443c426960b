import { DEFAULT_STATS_DAYS } from '@bugle/contract'

/** The days that can be looked at. */
export const RANGES: readonly number[] = [7, 30, 90, 365]

/** Reads the address; what makes no sense there is the usual range. */
export function readRange(search: Readonly<Record<string, string | undefined>>): number {
  return RANGES.find((days) => `${days}` === search['days']) ?? DEFAULT_STATS_DAYS
}
