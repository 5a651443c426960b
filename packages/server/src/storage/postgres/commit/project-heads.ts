import type { ProjectId } from '../../../model/ids.ts'
import type { ProjectCounters } from '../../issues/issue-tables.ts'

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
