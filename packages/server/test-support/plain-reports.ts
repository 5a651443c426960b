import { makeProject } from '../src/domain/projects/projects.ts'
import { mintId, projectNumberOf } from '../src/model/ids.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import type { NewReport } from '../src/model/reports/reports.ts'
import { normaliseSubmission } from '../src/model/reports/reports.ts'
import type { Storage } from '../src/storage/storage.ts'

/** A project for tests that need nothing else. */
export async function addProject({ projects }: Storage, slug = 'demo'): Promise<ProjectRecord> {
  const project = plainProject(slug)
  await projects.create(project)
  return project
}

/** A project that is not stored yet. */
export function plainProject(slug: string, createdAt = Date.now()): ProjectRecord {
  return makeProject({ slug, name: slug, isPublic: false, defaultBranch: 'main', createdAt })
}

/** A minimal report. */
export function plainReport(project: ProjectRecord, fingerprint: string | null = null): NewReport {
  const receivedAt = Date.now()
  return {
    projectId: project.id,
    issueId: mintId('iss', receivedAt, projectNumberOf(project.id)),
    receivedAt,
    actor: null,
    lanes: ['open'],
    content: normaliseSubmission({ title: 'Settings screen stays blank', fingerprint }),
    submission: null,
  }
}
