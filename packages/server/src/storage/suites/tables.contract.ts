import { describe, expect, it } from 'vitest'
import { addProject, NOW, reportOf } from '../../../test-support/transfer-projects.ts'
import { toNewAttachments } from '../../domain/attachments/declarations.ts'
import { mintKey } from '../../domain/projects/keys.ts'
import { makeWebhook } from '../../domain/webhooks/webhooks.ts'
import { storeExceptions } from '../../model/crashes/report-exceptions.ts'
import { projectNumberOf } from '../../model/ids.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { type NewReport, reportIdOf } from '../../model/reports/reports.ts'
import type { Storage } from '../storage.ts'
import { columnOf } from '../tables/table-kinds.ts'
import { TABLES } from '../tables.ts'

/** The progress of the full-text index of SQLite. */
const IN_SQLITE = ['projects.indexed_number', 'issues.indexed_words']

/** A storage, and its tables. */
export interface TablesStage extends AsyncDisposable {
  readonly storage: Storage
  query(text: string): Promise<readonly object[]>
  /** Every column, as `table.column`, of the tables that the migrations have created. */
  columns(): Promise<readonly string[]>
}

/** Checks that `tables.ts` describes the tables of a database, and that deletions leave nothing behind. */
export function describeTables(database: 'sqlite' | 'postgres', open: () => Promise<TablesStage>): void {
  const tables = TABLES.filter(({ isOnlyIn = database }) => isOnlyIn === database)

  async function countRows(stage: TablesStage): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      const [row] = await stage.query(`SELECT count(*) AS count FROM ${name} ${orphansOnly(name)}`)
      counts[name] = Number((row as { count: unknown }).count)
    }
    return counts
  }

  /** SQLite indexes in the background, so rows of issues that exist may appear at any time. */
  function orphansOnly(name: string): string {
    return database === 'sqlite' && name === 'search' ? 'WHERE rowid NOT IN (SELECT row FROM issues)' : ''
  }

  describe(`tables: ${database}`, () => {
    it('are all listed, with every column', async () => {
      await using stage = await open()
      const described = tables
        .filter(({ name }) => database === 'postgres' || name !== 'search')
        .flatMap(({ name, columns, packed = {} }) =>
          Object.keys(columns)
            .filter((field) => database === 'postgres' || field !== 'project' || !isKeyPacked(name))
            .map((field) => `${name}.${(database === 'sqlite' && packed[field]) || columnOf(field)}`),
        )
        .filter((column) => database === 'sqlite' || !IN_SQLITE.includes(column))
      expect(described.toSorted()).toEqual((await stage.columns()).toSorted())
    })

    it('contain nothing of a deleted project', async () => {
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
      // Only its random number stays.
      expect(await countRows(stage)).toEqual({ ...before, deleted_projects: 1 })
    })

    it('contain nothing of a deleted issue, except the deletion', async () => {
      await using stage = await open()
      const { storage } = stage
      const project = await addProject(storage, 'weather')
      const first = await fillProject(storage, project)
      const before = await countRows(stage)
      const { issueId } = await addIssue(storage, project, 'second')
      await deliverAll(storage, project)
      const command = { projectId: project.id, issueId, lanes: ['open'] as const, actor: null, at: NOW }
      expect(await storage.issues.delete(command)).toBe('deleted')
      // Counters that have reached 0 stay.
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

/** Creates rows in every table of a project. */
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
  const fields = { url: 'https://a.example/', secret: 'whsec_a', createdAt: NOW }
  await storage.webhooks.create(makeWebhook(project, fields))
  const report = await addIssue(storage, project, 'first')
  await deliverAll(storage, project)
  return report
}

const DECLARED = { name: 'a.txt', contentType: 'text/plain', size: 1, sha256: '07'.repeat(32) }

const REPORTED = {
  reporter: { id: 'ada', name: null, email: 'ada@example.com' },
  reporterKeyHash: '08'.repeat(32),
}

/** An issue with a comment and two reports, each with its own submission id, text and declared file. */
async function addIssue(storage: Storage, project: ProjectRecord, name: string): Promise<NewReport> {
  const [one, other] = ['a', 'b'].map((end) => {
    const submission = { id: `${name}-${end}`, contentHash: '07'.repeat(16) }
    const report = reportOf(project, null, `Blank ${end}`, submission)
    const { receivedAt } = report
    const attachments = toNewAttachments([DECLARED], receivedAt, projectNumberOf(project.id))
    const exception = storeExceptions([{ type: `Error ${end}` }])
    const content = { ...report.content, ...REPORTED, fingerprint: name }
    return { ...report, attachments, exception, content }
  }) as [NewReport, NewReport]
  await storage.issues.submit(one)
  await storage.issues.submit(other)
  const command = {
    projectId: project.id,
    issueId: one.issueId,
    lanes: ['open'] as const,
    actor: null,
    at: NOW,
  }
  const known = { title: 'Blank', text: 'Wait.' }
  await storage.issues.change({ ...command, patch: { labels: [1, 2], known }, ifVersions: null })
  await storage.comments.create({
    ...command,
    commentId: 'a',
    text: 'Seen',
    audience: 'reporters',
    mentioned: [],
  })
  const reporter = { projectId: project.id, keyHash: REPORTED.reporterKeyHash }
  await storage.myReports.markRead({ ...reporter, reportId: reportIdOf(one.issueId) }, 'a')
  await storage.senders.setReporterBlocked({ ...command, ...reporter, isBlocked: true })
  return one
}

async function deliverAll(storage: Storage, { id: projectId }: ProjectRecord): Promise<void> {
  const result = { status: 200, error: null, durationMs: 1, response: 'ok', retryAfterSeconds: null }
  const times = { sentAt: NOW, now: NOW, random: 0.5 }
  for (const { id } of await storage.deliveries.listBehind(10))
    await storage.deliveries.fanOut(projectId, id, NOW)
  const command = { now: NOW, leaseMs: 30_000, perWebhook: 8, limit: 64 }
  for (const { webhook, event } of await storage.deliveries.claimDue(command)) {
    const place = { projectId, webhookId: webhook.id, position: event.position }
    await storage.deliveries.recordAttempt({ ...place, ...times, result })
  }
}
