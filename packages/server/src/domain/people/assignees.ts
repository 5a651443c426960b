import { DEFAULT_PAGE_SIZE, endpoints, type PeopleQuery, type PersonPage } from '@bugle/contract'
import { isId } from '../../model/ids.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Caller } from '../access/access.ts'
import { decodeTextCursor, encodeTextCursor, invalidCursor } from '../cursors.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'

/** The people whom issues of a project can be assigned to. */
export interface Assignees {
  list(caller: Caller, idOrSlug: string, query: PeopleQuery): Promise<PersonPage>
}

interface AssigneeDependencies {
  readonly storage: Pick<Storage, 'users'>
  readonly finder: IssueFinder
}

export function createAssignees({ storage, finder }: AssigneeDependencies): Assignees {
  return {
    async list(caller, idOrSlug, { forSecurity = false, pageSize = DEFAULT_PAGE_SIZE, cursor }) {
      const { access } = endpoints.listPeople
      const { project } = await finder.requireProject(caller, access, idOrSlug)
      // Only people who may see hidden issues know who else may.
      if (forSecurity) await finder.requireProject(caller, { ...access, scope: 'security:read' }, idOrSlug)
      const place = ['people', project.id, forSecurity]
      const afterId = cursor === undefined ? null : decodeTextCursor(place, cursor)
      if (afterId !== null && !isId('usr', afterId)) throw invalidCursor()
      const found = await storage.users.listOfProject({
        projectId: project.id,
        canSeeSecurity: forSecurity,
        afterId,
        limit: pageSize + 1,
      })
      const shown = found.slice(0, pageSize)
      const last = found.length > pageSize ? shown.at(-1) : undefined
      return {
        data: shown.map(({ id, name }) => ({ id, name })),
        pagination: {
          page: null,
          pageSize,
          hasMore: last !== undefined,
          nextCursor: last === undefined ? null : encodeTextCursor(place, last.id),
          totalCount: null,
        },
      }
    },
  }
}
