import {
  type CursorQuery,
  DEFAULT_PAGE_SIZE,
  endpoints,
  type Project,
  type ProjectPage,
  type PublicKey,
  type PublicKeyList,
} from '@bugle/contract'
import { mintUnshardedId, type ProjectId } from '../../model/ids.ts'
import type { KeyRecord } from '../../model/keys.ts'
import { type ProjectDetails, type ProjectPlace, type ProjectRecord, placeOf } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, personOf, requireReach, requireSight } from '../access/access.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import type { Catalog } from './catalog.ts'

/** The operations on projects in the API, which only reads them. */
export interface Projects {
  get(caller: Caller, idOrSlug: string): Promise<Project>
  list(caller: Caller, query: CursorQuery): Promise<ProjectPage>
  listKeys(caller: Caller, idOrSlug: string): Promise<PublicKeyList>
}

interface ProjectDependencies {
  readonly storage: Storage
  readonly catalog: Catalog
}

const LIST = ['projects']

export function createProjects({ storage, catalog }: ProjectDependencies): Projects {
  /** The given projects, oldest first; `null` means all. */
  async function listWithin(
    reach: readonly ProjectId[] | null,
    after: ProjectPlace | null,
    limit: number,
  ): Promise<readonly ProjectRecord[]> {
    if (reach === null) return storage.projects.list(after, limit)
    const found = await Promise.all(reach.map((id) => catalog.findProject(id)))
    const own = found.filter((project) => project !== undefined).sort(byPlace)
    const rest = after === null ? own : own.filter((project) => comparePlaces(placeOf(project), after) > 0)
    return rest.slice(0, limit)
  }

  return {
    async get(caller, idOrSlug) {
      const project = await catalog.findProject(idOrSlug)
      requireSight(caller, endpoints.getProject.access, project)
      if (project === undefined) throw notFound()
      return seesDetails(caller) ? showProject(project) : showProject({ ...project, ...NO_DETAILS })
    },

    async list(caller, query) {
      const reach = requireReach(caller, endpoints.listProjects.access)
      const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
      const after = query.cursor === undefined ? null : placeIn(query.cursor)
      const found = await listWithin(reach, after, pageSize + 1)
      const shown = found.slice(0, pageSize)
      const last = found.length > pageSize ? shown.at(-1) : undefined
      return {
        data: shown.map(showProject),
        pagination: {
          page: null,
          pageSize,
          hasMore: last !== undefined,
          nextCursor: last === undefined ? null : cursorAfter(last),
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

/** A new project. The ids of its issues contain the number in its id. */
export function makeProject(
  given: Omit<ProjectRecord, 'id' | keyof ProjectDetails> & Partial<ProjectDetails>,
): ProjectRecord {
  return { ...NO_DETAILS, ...given, id: mintUnshardedId('prj', given.createdAt) }
}

const NO_DETAILS: ProjectDetails = { description: null, websiteUrl: null, repositoryUrl: null }

/** Anonymous readers and public keys learn only what the specification makes public. */
function seesDetails(caller: Caller): boolean {
  return personOf(caller) !== undefined || (caller.kind === 'key' && caller.key.kind === 'secret')
}

function byPlace(one: ProjectRecord, other: ProjectRecord): number {
  return comparePlaces(placeOf(one), placeOf(other))
}

function comparePlaces(one: ProjectPlace, other: ProjectPlace): number {
  return one.createdAt - other.createdAt || one.projectNumber - other.projectNumber
}

function cursorAfter(project: ProjectRecord): string {
  const { createdAt, projectNumber } = placeOf(project)
  return encodeCursor(LIST, [createdAt, projectNumber])
}

function placeIn(cursor: string): ProjectPlace {
  const [createdAt = 0, projectNumber = 0] = decodeCursor(LIST, cursor, 2)
  return { createdAt, projectNumber }
}

export function showProject(project: ProjectRecord): Project {
  return {
    id: project.id,
    name: project.name,
    slug: project.slug,
    isPublic: project.isPublic,
    defaultBranch: project.defaultBranch,
    description: project.description,
    websiteUrl: project.websiteUrl,
    repositoryUrl: project.repositoryUrl,
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
