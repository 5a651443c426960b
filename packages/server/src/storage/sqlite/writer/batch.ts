import type { DatabaseSync } from 'node:sqlite'
import { OTHER_VALUE } from '@bugle/contract/vocabulary'
import { idToBytes, type ProjectId } from '../../../model/ids.ts'
import { createCounts, isFull, isOpenValue } from '../../issues/counts/counters.ts'
import { createKnownValues } from '../../issues/counts/known-values.ts'
import type { CounterKey, IssueTables, ProjectCounters } from '../../issues/issue-tables.ts'
import type { SeenChanges } from '../../issues/seen/seen-changes.ts'
import { prepareSilent } from '../driver/statements.ts'
import { prepareSeenWrites } from './seen-values.ts'

/** A project, and the progress of the full-text index in it. */
export interface IndexedProject extends ProjectCounters {
  readonly indexedNumber: number
}

/** State shared by the operations of one transaction. Counters are read once and written once, before the commit. */
export interface Batch {
  /** Resets the state for a new transaction. */
  begin(options: { readonly isRetry: boolean }): void
  /** Whether the transaction repeats a single call, because the transaction that it was in failed. */
  readonly isRetry: boolean
  /** The project, unless it is missing or being deleted. Numbers taken from it are lost only with the transaction. */
  findProject(id: ProjectId): IndexedProject | undefined
  count(counter: CounterKey, by: number): void
  readonly seen: SeenChanges
  checkSources: IssueTables['checkSources']
  /** Writes the projects. They are read again when they are next needed. */
  writeProjects(): void
  /** Writes the projects and the counters. */
  finish(): void
  /**
   * The largest number of issues in any project of this transaction that are not in the full-text index yet. 0 if the
   * index is not in use.
   */
  unindexed(): number
}

export function prepareBatch(db: DatabaseSync): Batch {
  const selectProject = db.prepare(
    `SELECT seq, last_issue_number, last_event_position, last_open_position, indexed_number FROM projects
     WHERE id = ? AND slug IS NOT NULL`,
  )
  const updateProject = prepareSilent(
    db,
    'UPDATE projects SET last_issue_number = ?, last_event_position = ?, last_open_position = ? WHERE seq = ?',
  )
  const addToCounter = prepareSilent(
    db,
    `INSERT INTO counters (count, project, lane, dimension, value) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  )
  const selectCounter = db.prepare(
    'SELECT 1 FROM counters WHERE project = ? AND lane = ? AND dimension = ? AND value = ?',
  )
  const countValues = db.prepare(
    'SELECT count(*) AS count FROM counters WHERE project = ? AND lane = ? AND dimension = ?',
  )
  const projects = new Map<ProjectId, IndexedProject>()
  const counts = createCounts()
  // Never outdated: counters are only deleted with their project. A new value is cached when it is next found, because its transaction may fail.
  const known = createKnownValues()
  const seenValues = prepareSeenWrites(db)
  let isRetry = false
  let unindexed = 0

  /** Adds to a counter, or creates it. A value once counted by name stays that way, as does one counted as `other`. */
  function add(key: CounterKey, by: number): void {
    const { projectSeq, lane, dimension, value } = key
    const isCountedByName = !isOpenValue(key) || isKnown(key) || !hasAllValues(key)
    addToCounter(by, projectSeq, lane, dimension, isCountedByName ? value : OTHER_VALUE)
  }

  function isKnown(key: CounterKey): boolean {
    if (known.has(key)) return true
    const { projectSeq, lane, dimension, value } = key
    if (selectCounter.get(projectSeq, lane, dimension, value) === undefined) return false
    known.add(key)
    return true
  }

  function hasAllValues({ projectSeq, lane, dimension }: CounterKey): boolean {
    const { count } = countValues.get(projectSeq, lane, dimension) as { count: number }
    return isFull(count)
  }

  function writeProjects(): void {
    for (const {
      seq,
      lastIssueNumber,
      lastEventPosition,
      lastOpenPosition,
      indexedNumber,
    } of projects.values()) {
      updateProject(lastIssueNumber, lastEventPosition, lastOpenPosition, seq)
      if (indexedNumber >= 0) unindexed = Math.max(unindexed, lastIssueNumber - indexedNumber)
    }
    projects.clear()
  }

  return {
    begin(options) {
      projects.clear()
      counts.clear()
      seenValues.begin()
      isRetry = options.isRetry
      unindexed = 0
    },
    get isRetry() {
      return isRetry
    },
    findProject(id) {
      const found = projects.get(id)
      if (found !== undefined) return found
      const row = selectProject.get(idToBytes(id)) as ProjectRow | undefined
      if (row === undefined) return undefined
      const project = {
        id,
        seq: row.seq,
        lastIssueNumber: row.last_issue_number,
        lastEventPosition: row.last_event_position,
        lastOpenPosition: row.last_open_position,
        indexedNumber: row.indexed_number,
      }
      projects.set(id, project)
      return project
    },
    count: counts.add,
    seen: seenValues.changes,
    checkSources: seenValues.checkSources,
    writeProjects,
    finish() {
      writeProjects()
      for (const [key, by] of counts) add(key, by)
      seenValues.finish()
    },
    unindexed: () => unindexed,
  }
}

interface ProjectRow {
  readonly seq: number
  readonly last_issue_number: number
  readonly last_event_position: number
  readonly last_open_position: number
  readonly indexed_number: number
}
