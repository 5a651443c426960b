import { createHash } from 'node:crypto'
import type { Random } from '../../packages/server/src/demo/random.ts'
import { startApp } from '../../packages/server/test-support/start-app.ts'
import { reportOf } from '../../packages/server/test-support/transfer-projects.ts'

/** Enough to fill the caches of the database long before the warm-up is over. */
const ISSUES = 60_000
const AT_ONCE = 1_000
/** How many of them later requests may use. */
const REMEMBERED = 3_000

export interface FilledDatabase {
  readonly key: string
  /** Some of its issues. */
  readonly issues: readonly string[]
}

/** Creates a project `demo` with a history. */
export async function fillDatabase(databaseUrl: string, random: Random): Promise<FilledDatabase> {
  await using api = await startApp({ databaseUrl })
  const project = await api.addProject({ slug: 'demo' })
  const ids: string[] = []
  for (let done = 0; done < ISSUES; done += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, index) => {
      const submission = { id: submissionIdOf(`past-${done + index}`), contentHash: '00'.repeat(16) }
      const report = reportOf(project, null, `Report ${done + index} of the past`, submission)
      const description = 'It happened when the screen was turned. '.repeat(random.integer(0, 40))
      return { ...report, content: { ...report.content, description } }
    })
    await Promise.all(some.map((report) => api.app.storage.issues.submit(report)))
    ids.push(...some.map(({ issueId }) => issueId))
  }
  return { key: project.secretKey, issues: Array.from({ length: REMEMBERED }, () => random.pick(ids)) }
}

/** As random as those of the SDK, so that they are spread over the index. */
export function submissionIdOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32)
}
