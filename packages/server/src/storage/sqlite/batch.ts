import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId } from '../../ids.ts'

/** A project's place in the database and the last numbers it handed out. */
export interface ProjectCounters {
  readonly seq: number
  lastIssueNumber: number
  lastEventPosition: number
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
  readonly dimension: 'status'
  readonly value: string
}

export function prepareBatch(db: DatabaseSync): Batch {
  const selectProject = db.prepare(
    'SELECT seq, last_issue_number, last_event_position FROM projects WHERE id = ? AND slug IS NOT NULL',
  )
  const updateProject = db.prepare(
    'UPDATE projects SET last_issue_number = ?, last_event_position = ? WHERE seq = ?',
  )
  const addToCounter = db.prepare(
    `INSERT INTO counters (project_seq, lane, dimension, value, count) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  )
  const projects = new Map<ProjectId, ProjectCounters>()
  const counts = new Map<string, { readonly key: CounterKey; by: number }>()

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
      for (const { key, by } of counts.values()) {
        addToCounter.run(key.projectSeq, key.lane, key.dimension, key.value, by)
      }
    },
  }
}

interface ProjectRow {
  readonly seq: number
  readonly last_issue_number: number
  readonly last_event_position: number
}
