import { endpoints, MAX_VIEWS, type View, type ViewCreation, type ViewList } from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { isId, mintUnshardedId } from '../../model/ids.ts'
import type { ViewRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, requireUser } from '../access/access.ts'
import { credentialsRequired, DomainError, notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'

/** The saved views of a person. They are private. */
export interface Views {
  list(caller: Caller): Promise<ViewList>
  create(caller: Caller, given: ViewCreation): Promise<View>
  delete(caller: Caller, id: string): Promise<void>
}

interface ViewDependencies {
  readonly storage: Storage
  readonly clock: Clock
  readonly finder: IssueFinder
}

export function createViews({ storage: { views }, clock, finder }: ViewDependencies): Views {
  return {
    async list(caller) {
      const found = await views.list(requireUser(caller).user.id)
      return { data: found.map(showView) }
    },

    async create(caller, { name, projectId, query }) {
      const { user } = requireUser(caller)
      const { project } = await finder.requireProject(caller, endpoints.listIssues.access, projectId)
      const createdAt = clock()
      const view = {
        id: mintUnshardedId('viw', createdAt),
        userId: user.id,
        name,
        projectId: project.id,
        query,
        createdAt,
      }
      const outcome = await views.create(view)
      if (outcome === 'no-user') throw credentialsRequired()
      if (outcome === 'too-many') {
        throw new DomainError('limit-reached', { detail: `A person can have ${MAX_VIEWS} saved views.` })
      }
      return showView(view)
    },

    async delete(caller, id) {
      const { user } = requireUser(caller)
      if (!isId('viw', id) || (await views.delete(user.id, id)) === 'missing') throw notFound()
    },
  }
}

function showView({ id, name, projectId, query, createdAt }: ViewRecord): View {
  return { id, name, projectId, query, createdAt: isoTime(createdAt) }
}
