import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgePlan } from '../../../test-support/postgres-plans/judge-plan.ts'
import { LOGGING_PLANS, type LoggedPlan, plansOf } from '../../../test-support/postgres-plans/logged-plans.ts'
import { methodsOf, recordCalls } from '../../../test-support/postgres-plans/record-calls.ts'
import { addProjects, seedIssues } from '../../../test-support/postgres-plans/seed.ts'
import { playStory } from '../../../test-support/postgres-plans/story.ts'
import { type PostgresServer, startPostgres } from '../../../test-support/start-postgres.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../storage.ts'
import { openPostgresStorage } from './postgres-storage.ts'

/** Enough that going through a table shows; `BUGLE_TEST_PLAN_ISSUES=1000000` takes some minutes. */
const ISSUES = Number(process.env['BUGLE_TEST_PLAN_ISSUES'] ?? 60_000)

/** After being run so often, a prepared statement keeps its plan. */
const ROUNDS_UNTIL_KEPT = 5

/** They have a project and stay small; the last one is mostly empty. */
const SMALL_TABLES: readonly string[] = ['keys', 'webhooks', 'deleted_issues']

/** What goes through everything on purpose, or does nothing in the database. */
const NOT_IN_THE_STORY = /^(?:transfer\.|close$|events\.subscribe$)/

/** Nothing learns of the sizes of tables by itself. */
const SETTINGS = [...LOGGING_PLANS, 'autovacuum=off', 'fsync=off', 'synchronous_commit=off']

/** What our settings would be without us. */
const DEFAULTS = '-c jit=on -c enable_sort=on -c random_page_cost=4'

describe('the plans of PostgreSQL', { timeout: 1_800_000 }, () => {
  let server: PostgresServer
  let first: Storage
  let project: ProjectRecord
  let growing: ReadonlySet<string>

  beforeAll(async () => {
    server = await startPostgres({ settings: SETTINGS })
    first = await openPostgresStorage(server.url)
    const [, large] = await addProjects(first)
    if (large === undefined) throw new Error('there is no project')
    project = large
    growing = await growingTables(server.url)
  }, 60_000)
  afterAll(async () => {
    await first.close()
    await server.stop()
  })

  /** What is wrong, each fault once, with the statement it is about. */
  function faultsOf(plans: readonly LoggedPlan[], leniency = 1): readonly string[] {
    const faults = plans.flatMap((plan) => {
      const text = plan.query.replaceAll(/\s+/g, ' ').slice(0, 300)
      return judgePlan(plan, growing, leniency).map((fault) => `${fault}: ${text}`)
    })
    return [...new Set(faults)]
  }

  it('are seen for everything that a storage can do', async () => {
    const { storage, called } = recordCalls(first)
    const plans = await plansOf(server, () => playStory(storage, project))
    expect(plans.length).toBeGreaterThan(100)
    expect(methodsOf(first).filter((name) => !called.has(name) && !NOT_IN_THE_STORY.test(name))).toEqual([])
  })

  it('go from keys to rows, also those that were kept from when the tables were empty', async () => {
    for (let round = 0; round < ROUNDS_UNTIL_KEPT; round++) await playStory(first, project)
    await seedIssues(server.url, ISSUES)
    const plans = await plansOf(server, () => playStory(first, project))
    // Of issues that it has not analysed yet, it may look at all to find those of a status, once for each lane.
    expect(faultsOf(plans, 5)).toEqual([])
  })

  it.each([
    { options: '', leniency: 1, title: 'and has our options' },
    // It may go through a few thousand rows in order, to spare itself hundreds all over the place.
    { options: `?options=${encodeURIComponent(DEFAULTS)}`, leniency: 4, title: 'and is left alone' },
  ])('go from keys to rows when PostgreSQL knows everything $title', async ({ options, leniency }) => {
    await run(server.url, 'VACUUM ANALYZE')
    const storage = await openPostgresStorage(server.url + options)
    const plans = await plansOf(server, () => playStory(storage, project))
    await storage.close()
    expect(faultsOf(plans, leniency)).toEqual([])
  })
})

/** Those that have rows of projects, but for what people make by hand. */
async function growingTables(url: string): Promise<ReadonlySet<string>> {
  const rows = await run(
    url,
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'project'`,
  )
  return new Set(rows.map(({ name }) => name).filter((name) => !SMALL_TABLES.includes(name)))
}

async function run(url: string, command: string): Promise<{ name: string }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(command)
  await client.end()
  return rows
}
