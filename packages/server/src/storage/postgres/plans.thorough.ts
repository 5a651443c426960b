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

/** Enough for a table scan to be noticeable; `BUGLE_TEST_PLAN_ISSUES=1000000` takes a few minutes. */
const ISSUES = Number(process.env['BUGLE_TEST_PLAN_ISSUES'] ?? 60_000)

/** A prepared statement keeps its first plan; usually PostgreSQL decides that after five runs. */
const KEEPING_PLANS = `?options=${encodeURIComponent('-c plan_cache_mode=force_generic_plan')}`
/** Enough for each of the connections to have run most statements. */
const ROUNDS = 5

/** They have a project and stay small; the last one is mostly empty. */
const SMALL_TABLES: readonly string[] = [
  'keys',
  'webhooks',
  'labels',
  'deleted_issues',
  'deleted_labels',
  'blocked_senders',
]

/** Operations that read everything on purpose, or do nothing in the database. */
const NOT_IN_THE_STORY =
  /^(?:transfer\.|close$|events\.subscribe$|attachments\.(?:listFiles|totalBytes)$|ownFiles\.(?:list|removeUnfinished|space|close)$)/

/** Table statistics are not updated automatically. */
const SETTINGS = [...LOGGING_PLANS, 'autovacuum=off', 'fsync=off', 'synchronous_commit=off']

/** The defaults of the settings that we change. */
const DEFAULTS = '-c jit=on -c enable_sort=on -c random_page_cost=4'

describe('the plans of PostgreSQL', { timeout: 1_800_000 }, () => {
  let server: PostgresServer
  let first: Storage
  let project: ProjectRecord
  let growing: ReadonlySet<string>

  beforeAll(async () => {
    server = await startPostgres({ settings: SETTINGS })
    first = await openPostgresStorage(server.url + KEEPING_PLANS)
    const [, large] = await addProjects(first)
    if (large === undefined) throw new Error('there is no project')
    project = large
    growing = await growingTables(server.url)
  }, 60_000)
  afterAll(async () => {
    await first.close()
    await server.stop()
  })

  /** The faults, each once, with the statement that caused it. */
  function faultsOf(plans: readonly LoggedPlan[], leniency = 1): readonly string[] {
    const faults = plans.flatMap((plan) => {
      const text = plan.query.replaceAll(/\s+/g, ' ').slice(0, 300)
      return judgePlan(plan, growing, leniency).map((fault) => `${fault}: ${text}`)
    })
    return [...new Set(faults)]
  }

  it('are logged for every operation of a storage', async () => {
    const { storage, called } = recordCalls(first)
    const plans = await plansOf(server, () => playStory(storage, project))
    expect(plans.length).toBeGreaterThan(100)
    expect(methodsOf(first).filter((name) => !called.has(name) && !NOT_IN_THE_STORY.test(name))).toEqual([])
  })

  it('find rows by keys, also plans that were cached when the tables were empty', async () => {
    for (let round = 0; round < ROUNDS; round++) await playStory(first, project)
    await seedIssues(server.url, ISSUES)
    const plans = await plansOf(server, () => playStory(first, project))
    // If the issues are not analysed yet, it may scan all of them to find those with a status, once for each lane.
    expect(faultsOf(plans, 5)).toEqual([])
  })

  it.each([
    { options: '', leniency: 1, title: 'and has our options' },
    // It may read a few thousand rows sequentially instead of hundreds at random.
    { options: `?options=${encodeURIComponent(DEFAULTS)}`, leniency: 4, title: 'and is left alone' },
  ])('find rows by keys when PostgreSQL has statistics $title', async ({ options, leniency }) => {
    await run(server.url, 'VACUUM ANALYZE')
    const storage = await openPostgresStorage(server.url + options)
    const plans = await plansOf(server, () => playStory(storage, project))
    await storage.close()
    expect(faultsOf(plans, leniency)).toEqual([])
  })
})

/** The tables with rows of projects, except those that people fill by hand. */
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
