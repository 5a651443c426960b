import { endpoints, type Project } from '@bugle/contract'
import { mintUnshardedId } from '../ids.ts'
import type { ProjectRecord } from '../storage/records.ts'
import { type Caller, requireSight } from './access.ts'
import type { Catalog } from './catalog.ts'
import { notFound } from './domain-error.ts'
import { isoTime } from './issue-views.ts'

/** What can be done with projects through the API: read them. */
export interface Projects {
  get(caller: Caller, idOrSlug: string): Promise<Project>
}

export function createProjects(catalog: Catalog): Projects {
  return {
    async get(caller, idOrSlug) {
      const project = await catalog.findProject(idOrSlug)
      requireSight(caller, endpoints.getProject.access, project)
      if (project === undefined) throw notFound()
      return showProject(project)
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
