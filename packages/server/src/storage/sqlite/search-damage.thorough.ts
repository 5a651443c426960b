import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../test-support/plain-reports.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import type { Finding } from '../../cli/doctor/findings.ts'
import type { IssueId } from '../../model/ids.ts'
import { everyIssue } from '../../model/issue-lists.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { parseSearch } from '../../model/search/search-query.ts'
import type { Storage } from '../storage.ts'
import { rebuildSqliteSearch } from './issues/rebuild-search.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

const ISSUES = 40

/** The kinds of damage that an index on a disk can have. */
const DAMAGES = [
  ['its pages are missing', 'DELETE FROM search_data'],
  ['its pages are nonsense', 'UPDATE search_data SET block = randomblob(length(block))'],
  ['its pages are empty', 'UPDATE search_data SET block = zeroblob(length(block))'],
  ['a part of it is missing', 'DROP TABLE search_idx'],
  ['it is missing', 'DROP TABLE search'],
] as const

describe('a damaged full-text index', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let path: string
  let storage: Storage
  let project: ProjectRecord
  let crashes: Error[]
  let reasons: string[]

  async function open(): Promise<Storage> {
    return openSqliteStorage({
      path,
      onCrash: (error) => void crashes.push(error),
      onIndexDamage: (reason) => void reasons.push(reason),
    })
  }

  beforeEach(async () => {
    ;[crashes, reasons] = [[], []]
    folder = temporaryFolder()
    path = join(folder.path, 'bugle.db')
    storage = await open()
    project = await addProject(storage)
    await Promise.all(Array.from({ length: ISSUES }, (_, index) => submit(`Blank screen ${index + 1}`)))
    await expect.poll(countUnindexed, { timeout: 10_000 }).toBe(0)
  })
  afterEach(async () => {
    await storage.close()
    folder[Symbol.dispose]()
    expect(crashes).toEqual([])
  })

  async function submit(title: string): Promise<IssueId> {
    const report = plainReport(project)
    const outcome = await storage.issues.submit({ ...report, content: { ...report.content, title } })
    if (outcome.kind !== 'stored') throw new Error(outcome.kind)
    return outcome.receipt.issueId
  }

  async function find(q: string): Promise<readonly string[]> {
    const selection = { ...everyIssue(project.id, ['open']), search: parseSearch(q) }
    const { issues } = await storage.issues.list({
      selection,
      sort: 'newest',
      start: { offset: 0 },
      limit: 100,
    })
    expect(await storage.issues.count(selection)).toBe(issues.length)
    return issues.map(({ title }) => title)
  }

  function countUnindexed(): number {
    using db = new DatabaseSync(path, { readOnly: true })
    const text = 'SELECT sum(last_issue_number - indexed_number) AS count FROM projects'
    return (db.prepare(text).get() as { count: number }).count
  }

  function damage(sql: string): void {
    using db = new DatabaseSync(path)
    db.enableDefensive(false)
    db.exec(sql)
  }

  const commandFor = (issueId: IssueId) =>
    ({
      projectId: project.id,
      issueId,
      lanes: ['open'],
      actor: null,
      at: Date.now(),
      ifVersions: null,
    }) as const

  async function doctor(...options: readonly string[]) {
    const settings = { BUGLE_DATABASE_URL: `sqlite:${path}` }
    const { code, stdout } = await runBugle(['doctor', '--quick', '--json', ...options], settings)
    const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] }
    return { code, finding: findings.find(({ check }) => check === 'full-text index') }
  }

  async function expectFound(): Promise<void> {
    expect(await find('toast')).toEqual(['Toast is burnt', 'Toast is late'])
    expect(await find('toa* la*')).toEqual(['Toast is late'])
    expect(await find('"blank screen 7"')).toEqual(['Blank screen 7'])
  }

  it.each(DAMAGES)(
    'stops neither reports nor triage nor searches: %s',
    async (_, sql) => {
      const first = await submit('Settings stay blank')
      const second = await submit('Settings vanish')
      await expect.poll(countUnindexed, { timeout: 10_000 }).toBe(0)
      damage(sql)
      await submit('Toast is burnt')
      expect(
        await storage.issues.change({ ...commandFor(first), patch: { title: 'Toast is late' } }),
      ).toMatchObject({
        kind: 'changed',
      })
      await storage.issues.delete(commandFor(second))
      // The writer detects it when it next indexes issues.
      await expect.poll(() => reasons.length, { timeout: 10_000 }).toBeGreaterThan(0)
      await expectFound()
      // A server that starts with the damaged index works too.
      await storage.close()
      storage = await open()
      await expectFound()
      await rebuildSqliteSearch(path, () => {})
      await submit('Blank toast')
      await expect.poll(countUnindexed, { timeout: 10_000 }).toBe(0)
      using db = new DatabaseSync(path, { readOnly: true })
      const found = db.prepare("SELECT count(*) AS count FROM search WHERE search MATCH 'blank'").get()
      expect(found).toMatchObject({ count: ISSUES + 1 })
      // One of them was changed since; it is found by what its reporter wrote.
      expect(await find('blank')).toHaveLength(ISSUES + 2)
      expect(await find('settings')).toEqual(['Toast is late'])
    },
    60_000,
  )

  it('that cannot be opened is found by the doctor, which rebuilds it while the server runs', async () => {
    await storage.close()
    damage('DELETE FROM search_config')
    storage = await open()
    await submit('Toast is late')
    await expect.poll(() => reasons.length, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(await find('toast')).toEqual(['Toast is late'])
    const damaged = await doctor()
    expect(damaged).toMatchObject({ code: 1, finding: { verdict: 'problem' } })
    expect(damaged.finding?.advice).toContain('bugle doctor --rebuild-search')
    expect(await doctor('--rebuild-search')).toMatchObject({ code: 0, finding: { verdict: 'ok' } })
    await submit('Toast is burnt')
    await expect.poll(countUnindexed, { timeout: 10_000 }).toBe(0)
    await expectFound()
  }, 60_000)
})
