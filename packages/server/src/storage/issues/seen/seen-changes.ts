import {
  NO_REPORTS,
  type ReportSource,
  type ReportSpan,
  type SeenContribution,
  type SeenCounts,
  type SeenDimension,
  type SeenKey,
} from '../../../model/seen-values.ts'
import { setIn } from '../counts/nested-maps.ts'
import { placeOf } from '../lane-codes.ts'

/** What a transaction has added to and subtracted from the versions, builds and branches of projects. */
export interface SeenChanges extends Iterable<SeenChange> {
  add(projectSeq: number, lane: number, contribution: SeenContribution): void
  /** Adds a report to the build of its version and to its branch. It runs for every report, so it creates no objects. */
  addSource(projectSeq: number, lane: number, source: ReportSource, added: SeenCounts & ReportSpan): void
  remove(projectSeq: number, lane: number, contribution: SeenContribution): void
  /** The reports that this transaction has added to a version, less those that it has taken away. */
  reportsOf(projectSeq: number, lane: number, appVersion: string): number
  /** A value, or one of its builds, is no longer kept by name. */
  forget(place: SeenPlace, key: SeenKey): void
  /** Clears the changes. The cache of known values stays. */
  clear(): void
}

/** The values of one dimension that a lane of a project has. */
export interface SeenPlace {
  readonly project: number
  readonly lane: number
  readonly dimension: SeenDimension
}

/** The changes of one entry, added up, with the times of the reports that were added. */
export interface SeenChange extends SeenKey {
  readonly projectSeq: number
  readonly lane: number
  readonly dimension: SeenDimension
  reports: number
  newIssues: number
  fixedIssues: number
  regressions: number
  firstAt: number
  lastAt: number
  /** Whether something was subtracted, and the times of those reports. */
  isReduced: boolean
  removedFirstAt: number
  removedLastAt: number
  isChanged: boolean
  /**
   * Whether this process has added to it before: then it is added without checking the limit. If another
   * process has folded it in the meantime, it exists again, and the next new value causes one more to be
   * folded.
   */
  isKnown: boolean
  /** Of a version: the changes of its builds, by their number. */
  builds: Map<string, SeenChange> | undefined
}

/** The changes in one lane of a project, by value. */
type ChangesOfLane = Readonly<Record<SeenDimension, Map<string, SeenChange>>>

/** The number of cached entries. When there are too many, the cache is cleared. */
const MAX_REMEMBERED = 50_000

export function createSeenChanges(): SeenChanges {
  // Nested maps, as for the counters: faster than building a combined key.
  const lanes = new Map<number, ChangesOfLane>()
  // Several changes in a row are of the same lane.
  let last: { readonly place: number; readonly changes: ChangesOfLane } | undefined
  let remembered = 0
  const changed: SeenChange[] = []

  function changeOf(
    projectSeq: number,
    lane: number,
    dimension: SeenDimension,
    value: string,
    buildNumber: string,
  ): SeenChange {
    const values = changesOf(placeOf(projectSeq, lane))[dimension]
    const change =
      values.get(value) ?? setIn(values, value, newChange(projectSeq, lane, dimension, value, ''))
    return noteChange(buildNumber === '' ? change : buildOf(change, buildNumber))
  }

  function changesOf(place: number): ChangesOfLane {
    if (last?.place === place) return last.changes
    const changes = lanes.get(place) ?? setIn(lanes, place, { version: new Map(), branch: new Map() })
    last = { place, changes }
    return changes
  }

  function newChange(
    projectSeq: number,
    lane: number,
    dimension: SeenDimension,
    value: string,
    buildNumber: string,
  ): SeenChange {
    remembered++
    return {
      projectSeq,
      lane,
      dimension,
      value,
      buildNumber,
      isKnown: false,
      builds: undefined,
      reports: 0,
      newIssues: 0,
      fixedIssues: 0,
      regressions: 0,
      firstAt: NO_REPORTS.firstAt,
      lastAt: NO_REPORTS.lastAt,
      isReduced: false,
      isChanged: false,
      removedFirstAt: NO_REPORTS.firstAt,
      removedLastAt: NO_REPORTS.lastAt,
    }
  }

  function noteChange(change: SeenChange): SeenChange {
    if (change.isChanged) return change
    change.isChanged = true
    changed.push(change)
    return change
  }

  function buildOf(version: SeenChange, buildNumber: string): SeenChange {
    version.builds ??= new Map()
    const known = version.builds.get(buildNumber)
    if (known !== undefined) return known
    const { projectSeq, lane, dimension, value } = version
    return setIn(version.builds, buildNumber, newChange(projectSeq, lane, dimension, value, buildNumber))
  }

  return {
    add(projectSeq, lane, contribution) {
      const { dimension, value, buildNumber } = contribution
      addTo(changeOf(projectSeq, lane, dimension, value, buildNumber), contribution)
    },
    addSource(projectSeq, lane, { appVersion, buildNumber, branch }, added) {
      if (appVersion) addTo(changeOf(projectSeq, lane, 'version', appVersion, buildNumber ?? ''), added)
      if (branch) addTo(changeOf(projectSeq, lane, 'branch', branch, ''), added)
    },
    remove(projectSeq, lane, contribution) {
      const { dimension, value, buildNumber } = contribution
      const change = changeOf(projectSeq, lane, dimension, value, buildNumber)
      addCounts(change, contribution, -1)
      change.isReduced = true
      if (contribution.firstAt < change.removedFirstAt) change.removedFirstAt = contribution.firstAt
      if (contribution.lastAt > change.removedLastAt) change.removedLastAt = contribution.lastAt
    },
    reportsOf(projectSeq, lane, appVersion) {
      const version = lanes.get(placeOf(projectSeq, lane))?.version.get(appVersion)
      let { reports = 0 } = version ?? {}
      for (const build of version?.builds?.values() ?? []) reports += build.reports
      return reports
    },
    forget({ project, lane, dimension }, { value, buildNumber }) {
      const ofValue = lanes.get(placeOf(project, lane))?.[dimension].get(value)
      const change = buildNumber === '' ? ofValue : ofValue?.builds?.get(buildNumber)
      if (change !== undefined) change.isKnown = false
    },
    clear() {
      for (const change of changed) reset(change)
      changed.length = 0
      if (remembered < MAX_REMEMBERED) return
      lanes.clear()
      last = undefined
      remembered = 0
    },
    [Symbol.iterator]: () => changed.values(),
  }
}

/** Field by field, because `Object.assign` takes ten times as long. */
function reset(change: SeenChange): void {
  change.reports = 0
  change.newIssues = 0
  change.fixedIssues = 0
  change.regressions = 0
  change.firstAt = NO_REPORTS.firstAt
  change.lastAt = NO_REPORTS.lastAt
  change.isReduced = false
  change.isChanged = false
  change.removedFirstAt = NO_REPORTS.firstAt
  change.removedLastAt = NO_REPORTS.lastAt
}

function addTo(change: SeenChange, added: SeenCounts & ReportSpan): void {
  addCounts(change, added, 1)
  if (added.firstAt < change.firstAt) change.firstAt = added.firstAt
  if (added.lastAt > change.lastAt) change.lastAt = added.lastAt
}

function addCounts(change: SeenChange, by: SeenCounts, sign: 1 | -1): void {
  change.reports += sign * by.reports
  change.newIssues += sign * by.newIssues
  change.fixedIssues += sign * by.fixedIssues
  change.regressions += sign * by.regressions
}
