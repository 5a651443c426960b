import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../test-support/plain-reports.ts'
import { setNodes } from '../../../test-support/several-nodes.ts'
import { emptyPostgresDatabase } from '../../../test-support/temporary-database.ts'
import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { mintId, type ProjectId } from '../../model/ids.ts'
import { type Storage, StorageUnavailable } from '../storage.ts'
import { describeStorage } from '../suites/storage.contract.ts'
import { createGroupCommit } from './commit/group-commit.ts'
import { openPostgresStorage } from './postgres-storage.ts'

describeStorage('PostgreSQL', temporaryPostgresStorage)

describe('PostgreSQL', () => {
  const stage = setNodes()

  it('is migrated once, however many nodes start together', async () => {
    await using empty = await emptyPostgresDatabase()
    const first = stage.openNode(empty.url)
    const opened = await Promise.all([first, ...Array.from({ length: 9 }, () => stage.openNode(empty.url))])
    expect(opened.filter(({ migration }) => migration.from === 0)).toHaveLength(1)
    const project = await addProject(await first)
    for (const node of opened) expect(await node.projects.find('demo')).toEqual(project)
    await Promise.all(opened.map((node) => node.close()))
  })

  it('is refused and left unchanged if a newer release has migrated it', async () => {
    await (await stage.openNode()).close()
    await stage.query('UPDATE schema_version SET version = 999')
    await stage.query('UPDATE catalog SET oldest_schema = 999')
    await expect(openPostgresStorage(stage.url)).rejects.toThrow(/schema version 999/)
    expect(await stage.query('SELECT version FROM schema_version')).toEqual([{ version: 999 }])
  })

  it('fails only the report that is invalid', async () => {
    const storage = await stage.openNode()
    const project = await addProject(storage)
    // Half a millisecond: the column requires an integer, so the database itself refuses it.
    const bad = { ...plainReport(project), receivedAt: 1.5 }
    const outcomes = await Promise.allSettled(
      [plainReport(project), bad, plainReport(project)].map((one) => storage.issues.submit(one)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes.map(numberOf)).toEqual([1, null, 2])
    expect(await stage.query('SELECT count(*)::int AS count FROM events')).toEqual([{ count: 2 }])
  })

  it('stores reports of other projects while some are locked, and theirs when they are free again', async () => {
    const storage = await stage.openNode()
    const locked = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((slug) => addProject(storage, slug)))
    const free = await addProject(storage, 'free')
    // So that this node knows their numbers, and tries to store the next reports without reading first.
    for (const project of [...locked.slice(2), free]) {
      await storage.issues.submit(plainReport(project))
      await storage.issues.submit(plainReport(project))
    }
    const holder = new pg.Client({ connectionString: stage.url })
    await holder.connect()
    await holder.query(`BEGIN; SELECT 1 FROM projects WHERE slug <> 'free' FOR UPDATE;
      SELECT 1 FROM project_heads WHERE project IN (SELECT seq FROM projects WHERE slug <> 'free') FOR UPDATE`)
    const settled: string[] = []
    const waiting = locked.map(async (project) => {
      const result = await storage.issues.submit(plainReport(project))
      settled.push(project.slug)
      return result.kind
    })
    for (let count = 0; count < 3; count++)
      expect((await storage.issues.submit(plainReport(free))).kind).toBe('stored')
    expect(settled).toEqual([])
    await holder.query('COMMIT')
    await holder.end()
    expect(await Promise.all(waiting)).toEqual(locked.map(() => 'stored'))
  })
})

describe('the group commit', () => {
  it('refuses calls when too many wait, and accepts them again afterwards', async () => {
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

function numberOf(outcome: PromiseSettledResult<Awaited<ReturnType<Storage['issues']['submit']>>>) {
  return outcome.status === 'fulfilled' && 'receipt' in outcome.value
    ? outcome.value.receipt.issueNumber
    : null
}
