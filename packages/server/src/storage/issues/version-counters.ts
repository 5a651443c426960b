import type { Lane } from '../../model/lanes.ts'
import { isOpenValue } from './counters.ts'
import type { CounterKey, ProjectCounters } from './issue-tables.ts'
import { LANE_CODES } from './lane-codes.ts'

/** The counters that say whether issues were created from a version: those of the lanes that readers of this one see. */
export function versionCounters(
  project: Pick<ProjectCounters, 'seq'>,
  lane: Lane,
  appVersion: string,
): readonly CounterKey[] {
  const keys = Object.values(LANE_CODES)
    .filter((code) => code <= LANE_CODES[lane])
    .map((code) => ({ projectSeq: project.seq, lane: code, dimension: 'app_version', value: appVersion }))
  // Whatever is counted as the rest is no version of that name.
  return keys.filter(isOpenValue)
}
