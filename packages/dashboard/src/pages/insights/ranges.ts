import { DEFAULT_STATS_DAYS } from '@bugle/contract'

/** The ranges to choose from, in days. */
export const RANGES: readonly number[] = [7, 30, 90, 365]

/** Reads the range from the address; falls back to the default. */
export function readRange(search: Readonly<Record<string, string | undefined>>): number {
  return RANGES.find((days) => `${days}` === search['days']) ?? DEFAULT_STATS_DAYS
}
