import type { DatabaseSync } from 'node:sqlite'
import { MAX_COUNTED_VALUES } from '@bugle/contract/vocabulary'
import { idToBytes, type ProjectId } from '../../ids.ts'
import { prepareCommand } from './statements.ts'

/** A project's place in the database and the last numbers it handed out. */
export interface ProjectCounters {
  readonly seq: number
  lastIssueNumber: number
  lastEventPosition: number
  readonly indexedNumber: number
}

/** What the operations of one transaction share. Counters are read once, kept in memory and written once, before the commit. */
export interface Batch {
  /** Starts over: nothing of an earlier transaction is left. */
  begin(): void
  /** The project, unless it is missing or being deleted. Numbers taken from it are gapless: they are lost only with the transaction. */
  project(id: ProjectId): ProjectCounters | undefined
  count(counter: CounterKey, by: number): void
  /** Writes the counters. */
  finish(): void
}

export interface CounterKey {
  readonly projectSeq: number
  readonly lane: number
  readonly dimension: string
  readonly value: string
}

/** Strangers make these values up, so only so many are counted by name. */
const OPEN_DIMENSIONS = /^(?:platform|app_version|sdk:.*)$/
const REST = 'other'

export function prepareBatch(db: DatabaseSync): Batch {
  const selectProject = db.prepare(
    `SELECT seq, last_issue_number, last_event_position, indexed_number FROM projects
     WHERE id = ? AND slug IS NOT NULL`,
  )
  const updateProject = prepareCommand(
    db,
    'UPDATE projects SET last_issue_number = ?, last_event_position = ? WHERE seq = ?',
  )
  const addToCounter = prepareCommand(
    db,
    'UPDATE counters SET count = count + ? WHERE project_seq = ? AND lane = ? AND dimension = ? AND value = ?',
  )
  const addCounter = prepareCommand(
    db,
    'INSERT INTO counters (count, project_seq, lane, dimension, value) VALUES (?, ?, ?, ?, ?)',
  )
  const countValues = db.prepare(
    'SELECT count(*) AS count FROM counters WHERE project_seq = ? AND lane = ? AND dimension = ?',
  )
  const projects = new Map<ProjectId, ProjectCounters>()
  const counts = new Map<string, { readonly key: CounterKey; by: number }>()

  /** Adds to the counter that exists, or makes it. A value once counted by name always is, and one counted as `other` too. */
  function add({ projectSeq, lane, dimension, value }: CounterKey, by: number): void {
    if (addToCounter.run(by, projectSeq, lane, dimension, value).changes > 0) return
    const isFull =
      OPEN_DIMENSIONS.test(dimension) && value !== REST && hasAllValues(projectSeq, lane, dimension)
    if (isFull) add({ projectSeq, lane, dimension, value: REST }, by)
    else addCounter.run(by, projectSeq, lane, dimension, value)
  }

  function hasAllValues(projectSeq: number, lane: number, dimension: string): boolean {
    const { count } = countValues.get(projectSeq, lane, dimension) as { count: number }
    return count >= MAX_COUNTED_VALUES
  }

  return {
    begin() {
      projects.clear()
      counts.clear()
    },
    project(id) {
      const known = projects.get(id)
      if (known !== undefined) return known
      const row = selectProject.get(idToBytes(id)) as ProjectRow | undefined
      if (row === undefined) return undefined
      const project = {
        seq: row.seq,
        lastIssueNumber: row.last_issue_number,
        lastEventPosition: row.last_event_position,
        indexedNumber: row.indexed_number,
      }
      projects.set(id, project)
      return project
    },
    count(key, by) {
      const name = `${key.projectSeq} ${key.lane} ${key.dimension} ${key.value}`
      const counted = counts.get(name)
      if (counted === undefined) counts.set(name, { key, by })
      else counted.by += by
    },
    finish() {
      for (const project of projects.values()) {
        updateProject.run(project.lastIssueNumber, project.lastEventPosition, project.seq)
      }
      for (const { key, by } of counts.values()) if (by !== 0) add(key, by)
    },
  }
}

interface ProjectRow {
  readonly seq: number
  readonly last_issue_number: number
  readonly last_event_position: number
  readonly indexed_number: number
}
