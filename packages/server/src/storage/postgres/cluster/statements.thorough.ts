import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pretendCluster } from '../../../../test-support/citus-stand-in.ts'
import { plainProject } from '../../../../test-support/plain-reports.ts'
import { LOGGING_PLANS, plansOf } from '../../../../test-support/postgres-plans/logged-plans.ts'
import { addProjects, START } from '../../../../test-support/postgres-plans/seed.ts'
import { judgeStatement } from '../../../../test-support/postgres-plans/statement-rule.ts'
import { playStory } from '../../../../test-support/postgres-plans/story.ts'
import { type PostgresServer, startPostgres } from '../../../../test-support/start-postgres.ts'
import { makeWebhook } from '../../../domain/webhooks/webhooks.ts'
import { openPostgresStorage } from '../postgres-storage.ts'

/** Statements that do not follow the rule. Imports, exports and the recount of the doctor are not in the story. */
const EXCEPTIONS: readonly RegExp[] = [
  // They find the next work of all projects, and lock nothing: a cluster asks all of its nodes.
  /^SELECT (?:size|project) FROM files WHERE is_suspect = 1 LIMIT 1$/,
  /^SELECT project, number, created_position FROM deleted_issues ORDER BY project, number LIMIT 1$/,
  // The numbers of webhooks are a list that the coordinator sends with the statement.
  /^DELETE FROM (?:deliveries|attempts) WHERE project = \$1 AND webhook = ANY \(ARRAY\(SELECT number FROM webhooks /,
]

describe('the statements that a cluster gets', { timeout: 120_000 }, () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres({ settings: [...LOGGING_PLANS, 'fsync=off', 'synchronous_commit=off'] })
    // Creates the tables.
    await (await openPostgresStorage(server.url)).close()
    await pretendCluster(server.url)
  }, 60_000)
  afterAll(() => server.stop())

  it('name the project as a value, and join no table of the coordinator', async () => {
    const storage = await openPostgresStorage(server.url)
    const [, project] = await addProjects(storage)
    if (project === undefined) throw new Error('there is no project')
    // `plans.thorough.ts` checks that the story calls every operation.
    const plans = await plansOf(server, () => playStory(storage, project))
    await storage.close()
    expect(plans.length).toBeGreaterThan(100)
    const faults = plans
      .map((plan) => ({ ...plan, query: plan.query.replaceAll(/\s+/g, ' ') }))
      .filter(({ query }) => !EXCEPTIONS.some((exception) => exception.test(query)))
      .flatMap((plan) => judgeStatement(plan).map((fault) => `${fault}: ${plan.query.slice(0, 300)}`))
    expect([...new Set(faults)]).toEqual([])
  })

  it('count the pending deliveries of all projects together', async () => {
    const storage = await openPostgresStorage(server.url)
    const statements = async () =>
      (
        await plansOf(server, async () => {
          await storage.deliveries.tally()
        })
      ).length
    const addWebhook = async (slug: string) => {
      const project = plainProject(slug, START)
      await storage.projects.create(project)
      const webhook = { url: 'https://a.example/', secret: 'whsec_a', createdAt: START }
      await storage.webhooks.create(makeWebhook(project, webhook))
    }
    await addWebhook('first')
    const few = await statements()
    for (const slug of ['second', 'third', 'fourth']) await addWebhook(slug)
    expect(await statements()).toBe(few)
    await storage.close()
  })
})
