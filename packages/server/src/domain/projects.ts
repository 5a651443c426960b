import {
  type CursorQuery,
  DEFAULT_PAGE_SIZE,
  endpoints,
  type Project,
  type ProjectPage,
  type PublicKey,
  type PublicKeyList,
} from '@bugle/contract'
import { mintUnshardedId, ordinalOf } from '../ids.ts'
import type { KeyRecord } from '../storage/records/keys.ts'
import type { ProjectRecord } from '../storage/records/projects.ts'
import type { Storage } from '../storage/storage.ts'
import { type Caller, requireKey, requireSight } from './access.ts'
import type { Catalog } from './catalog.ts'
import { decodeCursor, encodeCursor } from './cursors.ts'
import { notFound } from './domain-error.ts'
import { isoTime } from './issue-views.ts'

/** What can be done with projects through the API: read them. */
export interface Projects {
  get(caller: Caller, idOrSlug: string): Promise<Project>
  list(caller: Caller, query: CursorQuery): Promise<ProjectPage>
  listKeys(caller: Caller, idOrSlug: string): Promise<PublicKeyList>
}

interface ProjectParts {
  readonly storage: Storage
  readonly catalog: Catalog
}

const LIST = ['projects']

export function createProjects({ storage, catalog }: ProjectParts): Projects {
  /** The projects a key reaches: its own, or all. */
  async function reach(
    key: KeyRecord,
    after: number | null,
    limit: number,
  ): Promise<readonly ProjectRecord[]> {
    if (key.projectId === null) return storage.projects.list(after, limit)
    const own = await catalog.findProject(key.projectId)
    return own === undefined ? [] : [own]
  }

  return {
    async get(caller, idOrSlug) {
      const project = await catalog.findProject(idOrSlug)
      requireSight(caller, endpoints.getProject.access, project)
      if (project === undefined) throw notFound()
      return showProject(project)
    },

    async list(caller, query) {
      const key = requireKey(caller, endpoints.listProjects.access)
      const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
      const [after = null] = query.cursor === undefined ? [] : decodeCursor(LIST, query.cursor, 1)
      const found = await reach(key, after, pageSize + 1)
      const shown = found.slice(0, pageSize)
      const last = found.length > pageSize ? shown.at(-1) : undefined
      return {
        data: shown.map(showProject),
        pagination: {
          page: null,
          pageSize,
          hasMore: last !== undefined,
          nextCursor: last === undefined ? null : encodeCursor(LIST, [ordinalOf(last.id)]),
          totalCount: null,
        },
      }
    },

    async listKeys(caller, idOrSlug) {
      const project = await catalog.findProject(idOrSlug)
      requireSight(caller, endpoints.listProjectKeys.access, project)
      if (project === undefined) throw notFound()
      const keys = await storage.keys.list(project.id)
      return { data: keys.flatMap((key) => (key.token === null ? [] : [showPublicKey(key, key.token)])) }
    },
  }
}

/** A new project. The ordinal in its id is what its issues carry in theirs. */
export function makeProject(wish: Omit<ProjectRecord, 'id'>): ProjectRecord {
  return { ...wish, id: mintUnshardedId('prj', wish.createdAt) }
}

export function showProject(project: ProjectRecord): Project {
  return {
    id: project.id,
    name: project.name,
    slug: project.slug,
    isPublic: project.isPublic,
    defaultBranch: project.defaultBranch,
    createdAt: isoTime(project.createdAt),
  }
}

function showPublicKey(key: KeyRecord, token: string): PublicKey {
  return {
    id: key.id,
    name: key.name,
    token,
    origins: [...key.origins],
    createdAt: isoTime(key.createdAt),
    lastUsedAt: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
    revokedAt: key.revokedAt === null ? null : isoTime(key.revokedAt),
  }
}
