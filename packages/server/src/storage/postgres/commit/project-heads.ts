import type { ProjectId } from '../../../model/ids.ts'
import type { ProjectCounters } from '../../issues/issue-tables.ts'
import type { LastNumbers } from '../../issues/last-numbers.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'
import { MERGE_COUNTS } from './counters.ts'
import { MERGE_SEEN } from './seen-values.ts'

/** Cached projects. When the cache is full it is cleared. */
const MAX_REMEMBERED = 10_000

/**
 * The commits of a generation, which is also how many versions a row of a project's head or of an added count can have. Each
 * commit may have to skip them all while a snapshot is open; each end of a generation costs a few statements.
 */
export const GENERATION_COMMITS = 256

/** The last numbers that a project has assigned, as a commit finds them. */
export interface ProjectHead extends ProjectCounters {
  /** 0: the project has no head yet. */
  readonly generation: number
  /** The commits of the generation so far. */
  readonly commits: number
}

/** A project as the last commit of this node has left it. Other nodes may have written to it since. */
export interface KnownHead extends Readonly<ProjectHead> {
  /** Whether that commit found it as the one before had left it. */
  readonly isUndisturbed: boolean
}

export interface KnownHeads {
  find(id: ProjectId): KnownHead | undefined
  /** Caches the state after a commit. */
  keep(head: KnownHead): void
}

export function createKnownHeads(): KnownHeads {
  const heads = new Map<ProjectId, KnownHead>()
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

const NUMBERS = 'last_issue_number, last_event_position, last_open_position'
const LOCK_PROJECT = prepared(
  'lock_project',
  `SELECT seq, ${NUMBERS} FROM projects WHERE id = $1 AND slug IS NOT NULL FOR UPDATE`,
)
// After the project: the row is of the latest generation, because none begins while the project is locked.
const LOCK_HEAD = prepared(
  'lock_head',
  `SELECT generation, commits, ${NUMBERS} FROM project_heads WHERE project = $1
   ORDER BY generation DESC LIMIT 1 FOR UPDATE`,
)

/**
 * Locks the project for this transaction, across all nodes, so that numbers have no gaps and a reader that sees an
 * event also sees all earlier ones. If its sequence number is known, this takes one round trip.
 */
export async function lockProject(
  tx: Transaction,
  id: ProjectId,
  knownSeq?: number,
): Promise<ProjectHead | undefined> {
  const lockHead = async (seq: number) => (await tx.run<HeadRow>(LOCK_HEAD(seq)))[0]
  const [[project], early] = await Promise.all([
    tx.run<LastNumbers & { readonly seq: number }>(LOCK_PROJECT(uuidOf(id))),
    knownSeq === undefined ? undefined : lockHead(knownSeq),
  ])
  if (project === undefined) return undefined
  const head = project.seq === knownSeq ? early : await lockHead(project.seq)
  const row = head ?? project
  return {
    id,
    seq: project.seq,
    generation: head?.generation ?? 0,
    commits: head?.commits ?? 0,
    lastIssueNumber: row.last_issue_number,
    lastEventPosition: row.last_event_position,
    lastOpenPosition: row.last_open_position,
  }
}

/** What calls read and change of a head. */
export function numbersOf(head: Readonly<ProjectHead>): ProjectCounters {
  const { id, seq, lastIssueNumber, lastEventPosition, lastOpenPosition } = head
  return { id, seq, lastIssueNumber, lastEventPosition, lastOpenPosition }
}

export type ProjectKey = Pick<ProjectCounters, 'id' | 'seq'>

interface HeadRow extends LastNumbers {
  readonly generation: number
  readonly commits: number
}

/** The generation that the next commit belongs to. */
export function nextGeneration({ generation, commits }: ProjectHead): number {
  return generation === 0 || commits >= GENERATION_COMMITS ? generation + 1 : generation
}

const UPDATE_HEAD = prepared(
  'update_head',
  `UPDATE project_heads SET commits = commits + 1, last_issue_number = $3, last_event_position = $4, last_open_position = $5
   WHERE project = $1 AND generation = $2`,
)
const INSERT_HEAD = prepared(
  'insert_head',
  `INSERT INTO project_heads (project, generation, commits, ${NUMBERS}) VALUES ($1, $2, 1, $3, $4, $5)`,
)
const DELETE_HEAD = prepared(
  'delete_head',
  'DELETE FROM project_heads WHERE project = $1 AND generation = $2',
)

/** Stores the last numbers that a commit has assigned, and returns the head that it leaves. */
export function writeHead(tx: Transaction, found: ProjectHead, after: ProjectCounters): ProjectHead {
  const generation = nextGeneration(found)
  const numbers = [after.lastIssueNumber, after.lastEventPosition, after.lastOpenPosition] as const
  if (generation === found.generation) {
    tx.send(UPDATE_HEAD(found.seq, generation, ...numbers))
    return { ...found, ...after, commits: found.commits + 1 }
  }
  tx.send(INSERT_HEAD(found.seq, generation, ...numbers))
  if (found.generation > 0) endGeneration(tx, found)
  return { ...found, ...after, generation, commits: 1 }
}

function endGeneration(tx: Transaction, { seq, generation }: ProjectHead): void {
  for (const end of [DELETE_HEAD, MERGE_COUNTS, MERGE_SEEN]) tx.send(end(seq, generation))
}
