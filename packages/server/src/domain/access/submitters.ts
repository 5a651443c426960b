import type { Access } from '@bugle/contract'
import type { KeyRecord } from '../../model/keys.ts'
import type { Lane } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { DomainError, notFound } from '../domain-error.ts'
import type { Catalog } from '../projects/catalog.ts'
import { type Caller, personOf, requireSight } from './access.ts'

export interface Submitter {
  readonly key: KeyRecord
  readonly project: ProjectRecord
  readonly lanes: readonly Lane[]
}

/** A submission requires a project key; the key determines the project. */
export async function requireSubmitter(caller: Caller, access: Access, catalog: Catalog): Promise<Submitter> {
  const key = caller.kind === 'key' ? caller.key : undefined
  if (key?.projectId === null) {
    throw new DomainError('insufficient-scope', {
      detail:
        'A key for all projects cannot submit, because the project comes from the key. Use a key of the project.',
    })
  }
  const project = key && (await catalog.findProject(key.projectId))
  const { lanes } = requireSight(caller, access, project)
  if (key === undefined || project === undefined) throw notFound()
  return { key, project, lanes }
}

/** The same for other operations of apps: people get a refusal that says what to use. */
export async function requireKeyOfProject(
  caller: Caller,
  access: Access,
  catalog: Catalog,
): Promise<Submitter> {
  if (personOf(caller) !== undefined) {
    throw new DomainError('insufficient-scope', {
      detail: 'Use a key of the project: this operation does not accept sessions or personal access tokens.',
    })
  }
  return requireSubmitter(caller, access, catalog)
}
