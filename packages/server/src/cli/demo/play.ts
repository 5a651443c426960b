import { ALL_SCOPES } from '@bugle/contract'
import type { Caller } from '../../domain/access.ts'
import { createCatalog } from '../../domain/catalog.ts'
import { createIssues } from '../../domain/issues.ts'
import { mintKey } from '../../domain/keys.ts'
import type { ProjectRecord } from '../../storage/records/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Step } from './plan.ts'

/** Lets a plan happen in a project, step by step, each at its own time; by the same rules as through the API. */
export async function playDemo(
  storage: Storage,
  project: ProjectRecord,
  steps: readonly Step[],
  onStep: (done: number) => void,
): Promise<void> {
  let now = project.createdAt
  const issues = createIssues({ storage, catalog: createCatalog(storage), clock: () => now })
  const app = callerOf(project, 'public')
  const team = callerOf(project, 'secret')
  const ids = new Map<number, string>()

  for (const [done, step] of steps.entries()) {
    now = step.at
    if (step.kind === 'report') {
      const { record } = await issues.submit(app, step.submission, step.submission.submissionId)
      ids.set(step.issue, record.id)
    } else {
      await issues.change(team, ids.get(step.issue) ?? '', step.patch, null)
    }
    onStep(done + 1)
  }
}

/** Somebody with a key that is not stored: nobody else can ever use it. */
function callerOf(project: ProjectRecord, kind: 'public' | 'secret'): Caller {
  const { key } = mintKey({
    projectId: project.id,
    kind,
    name: 'demo',
    scopes: kind === 'secret' ? ALL_SCOPES : [],
    origins: [],
    createdAt: project.createdAt,
  })
  return { kind: 'key', key }
}
