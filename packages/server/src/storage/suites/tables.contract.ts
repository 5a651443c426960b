import { describe, expect, it } from 'vitest'
import { addProject, NOW, reportOf } from '../../../test-support/transfer-story.ts'
import { mintKey } from '../../domain/projects/keys.ts'
import { makeWebhook } from '../../domain/webhooks/webhooks.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { NewReport } from '../../model/reports.ts'
import type { Storage } from '../storage.ts'
import { columnOf } from '../table-kinds.ts'
import { TABLES } from '../tables.ts'

/** A storage, and the tables below it. */
export interface TablesStage extends AsyncDisposable {
  readonly storage: Storage
  query(text: string): Promise<readonly object[]>
  /** As `table.column`, of every table that a migration has created. */
  columns(): Promise<readonly string[]>
}

/** That `tables.ts` describes the tables of a database, and that nothing is left in them of what was deleted. */
export function describeTables(database: 'sqlite' | 'postgres', open: () => Promise<TablesStage>): void {
  const tables = TABLES.filter(({ isOnlyIn = database }) => isOnlyIn === database)

  async function countRows(stage: TablesStage): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      const [row] = await stage.query(`SELECT count(*) AS count FROM ${name}`)
      counts[name] = Number((row as { count: unknown }).count)
    }
    return counts
  }

  describe(`tables: ${database}`, () => {
    it('are all described, with every column', async () => {
      await using stage = await open()
      const described = tables
        .filter(({ name }) => database === 'postgres' || name !== 'search')
        .flatMap(({ name, columns, packed = {} }) =>
          Object.keys(columns)
            .filter((field) => database === 'postgres' || field !== 'project' || !isKeyPacked(name))
            .map((field) => `${name}.${(database === 'sqlite' && packed[field]) || columnOf(field)}`),
        )
        .filter((column) => database === 'sqlite' || column !== 'projects.indexed_number')
      expect(described.toSorted()).toEqual((await stage.columns()).toSorted())
    })

    it('hold nothing of a project that was deleted', async () => {
      await using stage = await open()
      const { storage } = stage
      await fillProject(storage, await addProject(storage, 'kept'))
      const before = await countRows(stage)
      const project = await addProject(storage, 'deleted')
      await fillProject(storage, project)
      const filled = await countRows(stage)
      for (const { name, owner } of tables.filter((table) => table.owner === 'issue')) {
        expect({ name, owner, isFilled: (filled[name] ?? 0) > (before[name] ?? 0) }).toMatchObject({
          isFilled: name !== 'search' || database === 'postgres',
        })
      }
      while (!(await storage.projects.delete(project.id)).isFinished);
      expect(await countRows(stage)).toEqual(before)
    })

    it('hold nothing of an issue that was deleted, except that it was', async () => {
      await using stage = await open()
      const { storage } = stage
      const project = await addProject(storage, 'weather')
      const first = await fillProject(storage, project)
      const before = await countRows(stage)
      const { issueId } = await addIssue(storage, project, 'second')
      await deliverAll(storage, project)
      const order = { projectId: project.id, issueId, lanes: ['open'] as const, actor: null, at: NOW }
      expect(await storage.issues.delete(order)).toBe('deleted')
      // Counters that have come down to nothing stay.
      const counters: unknown = expect.any(Number)
      const events = (before['events'] ?? 0) + 1
      expect(await countRows(stage)).toEqual({ ...before, counters, events })
      expect(await storage.issues.find(project.id, first.issueId)).toBeDefined()
    })
  })

  function isKeyPacked(name: string): boolean {
    const table = tables.find((one) => one.name === name)
    return table?.key.some((field) => table.packed?.[field] !== undefined) ?? false
  }
}

/** Something in every table that a project has. */
async function fillProject(storage: Storage, project: ProjectRecord): Promise<NewReport> {
  const { key } = mintKey({
    kind: 'secret',
    projectId: project.id,
    name: null,
    scopes: ['issues:create'],
    origins: [],
    createdAt: NOW,
  })
  await storage.keys.create(key)
  const wish = { url: 'https://a.example/', secret: 'whsec_a', createdAt: NOW }
  await storage.webhooks.create(makeWebhook(project, wish))
  const report = await addIssue(storage, project, 'first')
  await deliverAll(storage, project)
  return report
}

/** An issue with two reports, each with a submission id. */
async function addIssue(storage: Storage, project: ProjectRecord, name: string): Promise<NewReport> {
  const [one, other] = ['a', 'b'].map((end) => {
    const submission = { id: `${name}-${end}`, contentHash: '07'.repeat(16) }
    const report = reportOf(project, null, 'Blank', submission)
    return { ...report, content: { ...report.content, fingerprint: name } }
  }) as [NewReport, NewReport]
  await storage.issues.submit(one)
  await storage.issues.submit(other)
  return one
}

async function deliverAll(storage: Storage, { id: projectId }: ProjectRecord): Promise<void> {
  const result = { status: 200, error: null, durationMs: 1, response: 'ok', retryAfterSeconds: null }
  const times = { sentAt: NOW, now: NOW, random: 0.5 }
  for (const { id } of await storage.deliveries.listBehind(10))
    await storage.deliveries.fanOut(projectId, id, NOW)
  const order = { now: NOW, leaseMs: 30_000, perWebhook: 8, limit: 64 }
  for (const { webhook, event } of await storage.deliveries.claimDue(order)) {
    const place = { projectId, webhookId: webhook.id, position: event.position }
    await storage.deliveries.recordAttempt({ ...place, ...times, result })
  }
}
