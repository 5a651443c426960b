import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId } from '../../../model/ids.ts'
import { createCounts, isFull, isOpenValue, REST } from '../../issues/counters.ts'
import type { CounterKey, ProjectCounters } from '../../issues/issue-tables.ts'
import { prepareCommand } from '../driver/statements.ts'

/** A project, and how far the full-text index has got with it. */
export interface IndexedProject extends ProjectCounters {
  readonly indexedNumber: number
}

/** What the operations of one transaction share. Counters are read once, kept in memory and written once, before the commit. */
export interface Batch {
  /** Starts over: nothing of an earlier transaction is left. */
  begin(calls: number): void
  /** Whether the transaction is for a single call: it may have been repeated because, together with others, it failed. */
  readonly isAlone: boolean
  /** The project, unless it is missing or being deleted. Numbers taken from it are gapless: they are lost only with the transaction. */
  findProject(id: ProjectId): IndexedProject | undefined
  count(counter: CounterKey, by: number): void
  /** A counter as it will be when the transaction ends. */
  readCount(counter: CounterKey): number
  /** Writes the projects, and reads them again when they are needed next. */
  writeProjects(): void
  /** Writes the projects and the counters. */
  finish(): void
  /** How many issues of a project the full-text index has not caught up with: of all that were found, the most. None while it is not used. */
  unindexed(): number
}

export function prepareBatch(db: DatabaseSync): Batch {
  const selectProject = db.prepare(
    `SELECT seq, last_issue_number, last_event_position, last_open_position, indexed_number FROM projects
     WHERE id = ? AND slug IS NOT NULL`,
  )
  const updateProject = prepareCommand(
    db,
    'UPDATE projects SET last_issue_number = ?, last_event_position = ?, last_open_position = ? WHERE seq = ?',
  )
  const addToCounter = prepareCommand(
    db,
    'UPDATE counters SET count = count + ? WHERE project = ? AND lane = ? AND dimension = ? AND value = ?',
  )
  const addCounter = prepareCommand(
    db,
    'INSERT INTO counters (count, project, lane, dimension, value) VALUES (?, ?, ?, ?, ?)',
  )
  const selectCount = db.prepare(
    'SELECT count FROM counters WHERE project = ? AND lane = ? AND dimension = ? AND value = ?',
  )
  const countValues = db.prepare(
    'SELECT count(*) AS count FROM counters WHERE project = ? AND lane = ? AND dimension = ?',
  )
  const projects = new Map<ProjectId, IndexedProject>()
  const counts = createCounts()
  let isAlone = false
  let unindexed = 0

  /** Adds to the counter that exists, or makes it. A value once counted by name always is, and one counted as `other` too. */
  function add(key: CounterKey, by: number): void {
    const { projectSeq, lane, dimension, value } = key
    if (addToCounter.run(by, projectSeq, lane, dimension, value).changes > 0) return
    if (isOpenValue(key) && hasAllValues(key)) add({ ...key, value: REST }, by)
    else addCounter.run(by, projectSeq, lane, dimension, value)
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
      updateProject.run(lastIssueNumber, lastEventPosition, lastOpenPosition, seq)
      if (indexedNumber >= 0) unindexed = Math.max(unindexed, lastIssueNumber - indexedNumber)
    }
    projects.clear()
  }

  return {
    begin(calls) {
      projects.clear()
      counts.clear()
      isAlone = calls === 1
      unindexed = 0
    },
    get isAlone() {
      return isAlone
    },
    findProject(id) {
      const known = projects.get(id)
      if (known !== undefined) return known
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
    readCount(key) {
      const { projectSeq, lane, dimension, value } = key
      const row = selectCount.get(projectSeq, lane, dimension, value) as { count: number } | undefined
      return (row?.count ?? 0) + counts.get(key)
    },
    writeProjects,
    finish() {
      writeProjects()
      for (const [key, by] of counts) add(key, by)
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
