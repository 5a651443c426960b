import type { ProjectId } from '../../../model/ids.ts'
import type { Result } from '../../operations.ts'
import { prepared, type Query } from './connection.ts'
import { uuidOf } from './uuids.ts'

/** A project that another node deletes is hidden here after this time, as everywhere else (`catalog.ts`). */
const KEPT_MS = 1_000
const MAX_KEPT = 10_000

const SELECT_SEQ = prepared('seq_of_project', 'SELECT seq FROM projects WHERE id = $1 AND slug IS NOT NULL')

/**
 * The sequence numbers of projects in service, so that statements name a project by its number without a round trip to find it. A number
 * is never reused, so one that is out of date finds nothing.
 */
export interface ProjectSeqs {
  /** `undefined` if it has to be read. */
  find(id: ProjectId): number | undefined
  /** `null` if there is no such project. */
  read(id: ProjectId, execute: (query: Query) => Result | Promise<Result>): Promise<number | null>
  /** After a deletion. */
  clear(): void
}

export function createProjectSeqs(now: () => number = () => performance.now()): ProjectSeqs {
  const kept = new Map<ProjectId, { readonly seq: number; readonly until: number }>()
  return {
    find(id) {
      const known = kept.get(id)
      return known !== undefined && known.until > now() ? known.seq : undefined
    },
    async read(id, execute) {
      const { rows } = await execute(SELECT_SEQ(uuidOf(id)))
      const [row] = rows as readonly { readonly seq: number }[]
      if (row === undefined) return null
      if (kept.size >= MAX_KEPT) kept.clear()
      kept.set(id, { seq: row.seq, until: now() + KEPT_MS })
      return row.seq
    },
    clear: () => kept.clear(),
  }
}
