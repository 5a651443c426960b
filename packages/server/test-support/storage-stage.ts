import { afterEach, beforeEach, expect } from 'vitest'
import { mintId, projectNumberOf } from '../src/model/ids.ts'
import { everyIssue } from '../src/model/issue-lists.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import type { NewReport, SubmitOutcome } from '../src/model/reports/reports.ts'
import { normaliseSubmission } from '../src/model/reports/reports.ts'
import type { Storage } from '../src/storage/storage.ts'
import { plainProject, plainReport } from './plain-reports.ts'

export const NOW = Date.UTC(2026, 10, 15)

export type StorageStage = ReturnType<typeof setStorageStage>

/** An empty database for each test of a storage, and helpers for these tests. */
export function setStorageStage(open: () => Promise<Storage & AsyncDisposable>) {
  let storage: Storage & AsyncDisposable

  beforeEach(async () => {
    storage = await open()
  })
  afterEach(() => storage[Symbol.asyncDispose]())

  return {
    get storage() {
      return storage
    },

    async addProject(slug: string): Promise<ProjectRecord> {
      const project = projectOf(slug)
      expect(await storage.projects.create(project)).toBe('created')
      return project
    },

    async addMany(project: ProjectRecord, count: number): Promise<void> {
      for (let index = 0; index < count; index++) await storage.issues.submit(reportFor(project))
    },

    async numbersOf(project: ProjectRecord): Promise<number[]> {
      const { issues } = await storage.issues.list({
        selection: everyIssue(project.id, ['open', 'security']),
        sort: 'newest',
        start: { offset: 0 },
        limit: 1_000,
      })
      return issues.map((issue) => issue.issueNumber)
    },
  }
}

export function projectOf(slug: string): ProjectRecord {
  return plainProject(slug, NOW)
}

export function keyFields(project: ProjectRecord | null) {
  return { projectId: project?.id ?? null, name: 'test', scopes: [], origins: [], createdAt: NOW } as const
}

export function submission(id: string) {
  return { id, contentHash: id.length.toString(16).padStart(2, '0').repeat(16) }
}

export function contentOf(category: 'bug' | 'security') {
  return normaliseSubmission({ title: 'Settings screen stays blank', category })
}

export function reportFor(project: ProjectRecord, overrides: Partial<NewReport> = {}): NewReport {
  const receivedAt = overrides.receivedAt ?? NOW
  return {
    ...plainReport(project),
    issueId: mintId('iss', receivedAt, projectNumberOf(project.id)),
    receivedAt,
    ...overrides,
  }
}

export function receiptOf(outcome: SubmitOutcome) {
  if (!('receipt' in outcome)) throw new Error(`no receipt: ${outcome.kind}`)
  return outcome.receipt
}
