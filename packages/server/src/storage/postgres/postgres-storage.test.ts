import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type TemporaryDatabase,
  temporaryPostgresDatabase,
} from '../../../test-support/temporary-database.ts'
import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { makeProject } from '../../domain/projects.ts'
import { normaliseSubmission } from '../../domain/report-content.ts'
import { mintId, ordinalOf, type ProjectId } from '../../ids.ts'
import type { ProjectRecord } from '../records/projects.ts'
import type { NewReport } from '../records/reports.ts'
import { describeStorage } from '../storage.contract.ts'
import { type Storage, StorageUnavailable } from '../storage.ts'
import { createGroupCommit } from './group-commit.ts'
import { openPostgresStorage } from './postgres-storage.ts'

describeStorage('PostgreSQL', temporaryPostgresStorage)

describe('PostgreSQL', () => {
  let database: TemporaryDatabase
  const nodes: Storage[] = []

  beforeEach(async () => {
    database = await temporaryPostgresDatabase()
  })
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.close()))
    await database[Symbol.asyncDispose]()
  })

  /** One of several servers on the same database. */
  async function openNode(): Promise<Storage> {
    const node = await openPostgresStorage(database.url)
    nodes.push(node)
    return node
  }

  async function query<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<R>(text)
    await client.end()
    return rows
  }

  it('is migrated once, however many nodes start together', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, openNode))
    expect(opened.filter(({ migration }) => migration.from === 0)).toHaveLength(1)
    const project = await addProject(opened[0])
    for (const node of opened) expect(await node.projects.find('demo')).toEqual(project)
  })

  it('is refused when a newer release has changed it, and left as it is', async () => {
    await (await openNode()).close()
    await query('UPDATE schema_version SET version = 999')
    await expect(openPostgresStorage(database.url)).rejects.toThrow(/schema version 999/)
    expect(await query('SELECT version FROM schema_version')).toEqual([{ version: 999 }])
  })

  it('lets a report that fails fail alone', async () => {
    const storage = await openNode()
    const project = await addProject(storage)
    // Half a millisecond: the column wants a whole number, so the database itself refuses it.
    const bad = { ...report(project), receivedAt: 1.5 }
    const outcomes = await Promise.allSettled(
      [report(project), bad, report(project)].map((one) => storage.issues.submit(one)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes.map(numberOf)).toEqual([1, null, 2])
    expect(await query('SELECT count(*)::int AS count FROM events')).toEqual([{ count: 2 }])
  })

  it('numbers issues without gap or repeat across nodes, and events in the order of commits', async () => {
    const opened = await Promise.all([openNode(), openNode(), openNode()])
    const projects = [await addProject(opened[0]), await addProject(opened[0], 'other')] as const
    const followed = projects.map((project) => follow(opened[1], project.id))
    await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        opened[index % 3]?.issues.submit(
          report(projects[index % 2 === 0 ? 0 : 1], index % 5 === 0 ? 'f' : null),
        ),
      ),
    )
    for (const [index, project] of projects.entries()) {
      const [{ seq } = { seq: 0 }] = await query<{ seq: number }>(
        `SELECT seq FROM projects WHERE slug = '${project.slug}'`,
      )
      const numbers = await query<{ number: number }>(
        `SELECT number FROM issues WHERE project = ${seq} ORDER BY number`,
      )
      expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, place) => place + 1))
      const positions = await followed[index]?.until(300)
      expect(positions).toEqual(Array.from({ length: 300 }, (_, place) => place + 1))
    }
  })

  it('stores a submission once, whichever nodes it arrives at', async () => {
    const opened = await Promise.all([openNode(), openNode()])
    const project = await addProject(opened[0])
    const submission = { id: 'one', contentHash: new Uint8Array(16) }
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        opened[index % 2]?.issues.submit({ ...report(project), submission }),
      ),
    )
    expect(outcomes.filter((outcome) => outcome?.kind === 'stored')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome?.kind === 'replayed')).toHaveLength(39)
  })

  it('tells one node at once of what another has written', async () => {
    const [writer, reader] = [await openNode(), await openNode()]
    const project = await addProject(writer)
    const told: (string | null)[] = []
    reader.events.subscribe((projectId) => told.push(projectId))
    writer.events.subscribe(() => {})
    await expect.poll(() => told, { timeout: 2_000 }).toContain(null)
    const began = performance.now()
    await writer.issues.submit(report(project))
    await expect.poll(() => told, { interval: 5 }).toContain(project.id)
    expect(performance.now() - began).toBeLessThan(800)
  })

  it('tells of it without notifications too', async () => {
    const [reader, writer] = [await openNode(), await openNode()]
    const project = await addProject(writer)
    const told: (string | null)[] = []
    reader.events.subscribe((projectId) => told.push(projectId))
    // Nobody has subscribed at the writer, so it has no connection to notify by.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    await writer.issues.submit(report(project))
    await expect.poll(() => told, { timeout: 3_000 }).toContain(project.id)
  })

  it('hands out each delivery to one node', async () => {
    const opened = await Promise.all([openNode(), openNode(), openNode()])
    const project = await addProject(opened[0])
    const created = await opened[0].webhooks.create({
      id: mintId('whk', Date.now(), 1),
      projectId: project.id,
      name: null,
      url: 'https://a.example/',
      eventTypes: null,
      includeSecurity: false,
      format: 'standard',
      createdAt: Date.now(),
      secret: 'whsec_a',
    })
    if (created === 'no-project') throw new Error('there is no project')
    await Promise.all(Array.from({ length: 60 }, () => opened[0].issues.submit(report(project))))
    await Promise.all(opened.map((node) => node.deliveries.fanOut(project.id, created.id, Date.now())))
    const order = { now: Date.now() + 1_000, leaseMs: 30_000, perWebhook: 100, limit: 7 }
    const claims = await Promise.all(
      Array.from({ length: 60 }, (_, index) => opened[index % 3]?.deliveries.claimDue(order)),
    )
    const positions = claims.flatMap((some) => some?.map(({ event }) => event.position) ?? [])
    expect(new Set(positions).size).toBe(positions.length)
    expect(positions.length).toBeGreaterThan(0)
  })
})

describe('the group commit', () => {
  it('turns calls away when too many wait, and takes them again afterwards', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const writes = createGroupCommit(async (_, calls) => {
      await held
      return calls.map(() => ({ value: undefined }))
    })
    const projectId: ProjectId = mintId('prj', 0, 1)
    const accepted = Array.from({ length: 8_192 }, () => writes.run(projectId, 'addIntake', projectId, []))
    await expect(writes.run(projectId, 'addIntake', projectId, [])).rejects.toThrow(StorageUnavailable)
    release()
    await Promise.all(accepted)
    await writes.run(projectId, 'addIntake', projectId, [])
  })
})

async function addProject(storage: Storage | undefined, slug = 'demo'): Promise<ProjectRecord> {
  const project = makeProject({
    slug,
    name: slug,
    isPublic: false,
    defaultBranch: 'main',
    createdAt: Date.now(),
  })
  await storage?.projects.create(project)
  return project
}

function report(project: ProjectRecord, fingerprint: string | null = null): NewReport {
  const receivedAt = Date.now()
  return {
    projectId: project.id,
    issueId: mintId('iss', receivedAt, ordinalOf(project.id)),
    receivedAt,
    actor: null,
    lanes: ['open'],
    content: normaliseSubmission({ title: 'Settings screen stays blank', fingerprint }),
    submission: null,
  }
}

function numberOf(outcome: PromiseSettledResult<Awaited<ReturnType<Storage['issues']['submit']>>>) {
  return outcome.status === 'fulfilled' && 'receipt' in outcome.value
    ? outcome.value.receipt.issueNumber
    : null
}

/** Reads a project's log as it grows, as a reader that follows `after=` does. */
function follow(storage: Storage, projectId: ProjectId) {
  const seen: number[] = []
  return {
    async until(count: number): Promise<readonly number[]> {
      while (seen.length < count) {
        const after = seen.at(-1) ?? 0
        const part = await storage.events.list({ projectId, lanes: ['open'], types: null, after, limit: 20 })
        for (const { position } of part.events) seen.push(position)
      }
      return seen
    },
  }
}
