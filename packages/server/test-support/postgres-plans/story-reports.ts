import { mintId, projectNumberOf } from '../../src/model/ids.ts'
import type { Lane } from '../../src/model/lanes.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import type { NewReport } from '../../src/model/reports/reports.ts'
import { normaliseSubmission } from '../../src/model/reports/reports.ts'

export const BOTH_LANES: readonly Lane[] = ['open', 'security']
export const DAY_MS = 86_400_000

/** A report with a reporter; `fields` replace its own. */
export function reportFor(
  project: ProjectRecord,
  fields: Partial<NewReport> & { fingerprint?: string },
): NewReport {
  const receivedAt = Date.now()
  return {
    projectId: project.id,
    issueId: mintId('iss', receivedAt, projectNumberOf(project.id)),
    receivedAt,
    actor: null,
    lanes: BOTH_LANES,
    content: normaliseSubmission({
      title: 'Settings screen app',
      fingerprint: fields.fingerprint ?? null,
      reporter: { id: 'ada', email: 'ada@example.com' },
    }),
    submission: null,
    ...fields,
  }
}
