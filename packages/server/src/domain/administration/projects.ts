import type { ProjectCreation, ProjectPatch, ProjectSettings, PublicPreview } from '@bugle/contract/settings'
import type { Clock } from '../../clock.ts'
import type { ProjectChange, ProjectDetails, ProjectRecord } from '../../model/projects.ts'
import { revisionOf } from '../../model/revisions.ts'
import type { Storage } from '../../storage/storage.ts'
import type { UserCaller } from '../access/access.ts'
import { badMember, notFound } from '../domain-error.ts'
import { makeProject, showProject } from '../projects/projects.ts'
import { previewPublic } from '../projects/public-preview.ts'
import { requireAllProjects, requireOwnProject, revisionConflict } from './admins.ts'
import { readProjectUrl } from './project-details.ts'

/** Projects in the settings. */
export interface ProjectAdministration {
  create(admin: UserCaller, given: ProjectCreation): Promise<ProjectSettings>
  get(admin: UserCaller, idOrSlug: string): Promise<ProjectSettings>
  /** What anyone could read if it were public. */
  previewPublic(admin: UserCaller, idOrSlug: string): Promise<PublicPreview>
  update(admin: UserCaller, idOrSlug: string, patch: ProjectPatch): Promise<ProjectSettings>
  delete(admin: UserCaller, idOrSlug: string): Promise<void>
}

export interface AdministrationDependencies {
  readonly storage: Storage
  readonly clock: Clock
  /** Applies changes to projects, keys and people in this process at once. */
  readonly refresh: () => Promise<void>
}

export function createProjectAdministration({
  storage,
  clock,
  refresh,
}: AdministrationDependencies): ProjectAdministration {
  const projectsOf = ({ user }: UserCaller) => storage.actingAs(user.id, clock).projects

  async function requireProject(admin: UserCaller, idOrSlug: string): Promise<ProjectRecord> {
    return requireOwnProject(admin, await storage.projects.find(idOrSlug))
  }

  return {
    async create(admin, given) {
      requireAllProjects(admin)
      const project = makeProject({
        name: given.name.trim(),
        slug: given.slug,
        isPublic: given.isPublic ?? false,
        defaultBranch: given.defaultBranch ?? 'main',
        ...readDetails(given),
        createdAt: clock(),
      })
      if ((await projectsOf(admin).create(project)) === 'slug-taken') throw slugTaken()
      await refresh()
      return show(project)
    },

    get: async (admin, idOrSlug) => show(await requireProject(admin, idOrSlug)),

    async previewPublic(admin, idOrSlug) {
      const { issueCount, issues } = await previewPublic(storage, await requireProject(admin, idOrSlug))
      return { issueCount, issues: [...issues] }
    },

    async update(admin, idOrSlug, { revision, ...patch }) {
      const project = await requireProject(admin, idOrSlug)
      const change = { ...plainChange(patch), ...readDetails(patch) }
      const outcome = await projectsOf(admin).update(project.id, change, revision)
      if (outcome === 'slug-taken') throw slugTaken()
      if (outcome === 'missing') throw notFound()
      if (outcome === 'stale') throw revisionConflict()
      await refresh()
      return show(await requireProject(admin, project.id))
    },

    async delete(admin, idOrSlug) {
      const { id } = await requireProject(admin, idOrSlug)
      // The first step hides it. The others are done in the background.
      await projectsOf(admin).delete(id)
      await refresh()
    },
  }
}

function show(project: ProjectRecord): ProjectSettings {
  return { ...showProject(project), revision: revisionOf(project) }
}

/** The fields without rules of their own. Absent ones are left out, because they would be set to nothing. */
function plainChange({ name, slug, isPublic, defaultBranch }: Omit<ProjectPatch, 'revision'>): ProjectChange {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(slug !== undefined && { slug }),
    ...(isPublic !== undefined && { isPublic }),
    ...(defaultBranch !== undefined && { defaultBranch }),
  }
}

type WrittenDetails = Pick<ProjectCreation, 'description' | 'websiteUrl' | 'repositoryUrl'>

function readDetails({ description, websiteUrl, repositoryUrl }: WrittenDetails): Partial<ProjectDetails> {
  return {
    ...(description !== undefined && { description: description?.trim() ? description : null }),
    ...(websiteUrl !== undefined && { websiteUrl: readUrl('websiteUrl', websiteUrl) }),
    ...(repositoryUrl !== undefined && { repositoryUrl: readUrl('repositoryUrl', repositoryUrl) }),
  }
}

function readUrl(field: string, text: string | null): string | null {
  const read = readProjectUrl(text ?? '')
  if ('fault' in read) throw badMember(field, 'url', `${field} ${read.fault}.`)
  return read.url
}

function slugTaken() {
  return badMember('slug', 'taken', 'slug belongs to another project.')
}
