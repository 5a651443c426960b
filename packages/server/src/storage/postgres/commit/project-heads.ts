import type { ProjectId } from '../../../model/ids.ts'
import type { ProjectCounters } from '../../issues/issue-tables.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'

/** Cached projects. When the cache is full it is cleared. */
const MAX_REMEMBERED = 10_000

/** A project as the last commit of this node has left it. Other nodes may have written to it since. */
export interface ProjectHead extends Readonly<ProjectCounters> {
  /** Whether that commit found it as the one before had left it. */
  readonly isUndisturbed: boolean
}

export interface ProjectHeads {
  find(id: ProjectId): ProjectHead | undefined
  /** Caches the state after a commit. */
  keep(head: ProjectHead): void
}

export function createProjectHeads(): ProjectHeads {
  const heads = new Map<ProjectId, ProjectHead>()
  return {
    find: (id) => heads.get(id),
    keep(head) {
      if (heads.size >= MAX_REMEMBERED && !heads.has(head.id)) heads.clear()
      heads.set(head.id, head)
    },
  }
}

/** How long a commit waits for a locked project before it yields to others. Commits of other nodes are much shorter. */
export const LOCK_WAIT_MS = 100

const LOCK_PROJECT = prepared(
  'lock_project',
  `SELECT seq, last_issue_number, last_event_position, last_open_position FROM projects
   WHERE id = $1 AND slug IS NOT NULL FOR UPDATE`,
)

/**
 * Locks the project for this transaction, across all nodes, so that numbers have no gaps and a reader that sees an
 * event also sees all earlier ones.
 */
export async function lockProject(tx: Transaction, id: ProjectId): Promise<ProjectCounters | undefined> {
  const [row] = await tx.run<ProjectRow>(LOCK_PROJECT(uuidOf(id)))
  return (
    row && {
      id,
      seq: row.seq,
      lastIssueNumber: row.last_issue_number,
      lastEventPosition: row.last_event_position,
      lastOpenPosition: row.last_open_position,
    }
  )
}

export type ProjectKey = Pick<ProjectCounters, 'id' | 'seq'>

interface ProjectRow {
  readonly seq: number
  readonly last_issue_number: number
  readonly last_event_position: number
  readonly last_open_position: number
}
