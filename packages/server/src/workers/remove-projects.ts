import type { Storage } from '../storage/storage.ts'

/** Removes the rows of deleted projects, which are hidden already, no matter which process deleted them. */
export function createProjectRemoval({ projects }: Pick<Storage, 'projects'>): () => Promise<void> {
  return async () => {
    for (const id of await projects.listDeleted()) while (!(await projects.removeDeleted(id)).isFinished);
  }
}
