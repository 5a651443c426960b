import { MAX_COUNTED_VALUES } from '@bugle/contract/vocabulary'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import type { ProjectRecord } from '../../../model/projects.ts'
import { normaliseSubmission } from '../../../model/report-content.ts'
import type { NewReport } from '../../../model/reports.ts'
import type { Storage } from '../../storage.ts'
import { connect, type Database } from '../driver/connection.ts'
import { createConnector } from '../driver/connector.ts'
import { type CommitBatch, createCommitBatch } from './commit-batch.ts'

describe('a commit of new issues', () => {
  const stage = setNodes()
  let node: Storage
  let project: ProjectRecord
  let database: Database
  let commit: CommitBatch
  let ways: string[]

  beforeEach(async () => {
    node = await stage.openNode()
    project = await addProject(node)
    database = connect(createConnector(stage.url))
    ways = []
    commit = createCommitBatch({
      ...database,
      write: (query) => {
        ways.push('ahead')
        return database.write(query)
      },
      transaction: (work) => {
        ways.push('locked')
        return database.transaction(work)
      },
    })
  })
  afterEach(() => database.close())

  const submit = (...reports: readonly NewReport[]) =>
    commit(
      project.id,
      reports.map((report) => ['submitReport', report]),
    )

  /** Writes until it is known that nobody else does. */
  async function becomeAlone(): Promise<void> {
    for (const id of ['first', 'second']) await submit(fullReport(project, id))
    expect(ways.splice(0)).toEqual(['locked', 'locked'])
  }

  const numbers = async () =>
    (await stage.query<{ number: number }>('SELECT number FROM issues ORDER BY number')).map(
      (row) => row.number,
    )

  it('stores the same without looking first as with it', async () => {
    await becomeAlone()
    await submit(fullReport(project, 'third'), plainReport(project))
    await submit(plainReport(project, 'f'))
    expect(ways).toEqual(['ahead', 'locked'])
    for (const [table, order, ...own] of TABLES) {
      const rows = await stage.query<Row>(`SELECT * FROM ${table} ORDER BY ${order}`)
      const [first, , third] = rows.map((row) => without(row, [order, ...own]))
      expect(first).toBeDefined()
      expect(third).toEqual(first)
    }
    expect(await stage.query('SELECT last_issue_number, last_event_position FROM projects')).toEqual([
      { last_issue_number: 5, last_event_position: '5' },
    ])
    expect(
      await stage.query("SELECT count FROM counters WHERE dimension = 'intake' AND value = 'stored'"),
    ).toEqual([{ count: '5' }])
  })

  it('looks again when somebody else was faster, until nobody is any more', async () => {
    await becomeAlone()
    await node.issues.submit(plainReport(project))
    for (let count = 0; count < 4; count++) await submit(plainReport(project))
    expect(ways).toEqual(['ahead', 'locked', 'locked', 'ahead', 'ahead'])
    expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('stores a submission once that is stored already, and what came with it', async () => {
    await becomeAlone()
    const results = await submit(plainReport(project), fullReport(project, 'second'), plainReport(project))
    expect(ways).toEqual(['ahead', 'locked'])
    expect(results).toMatchObject([
      { value: { kind: 'stored' } },
      { value: { kind: 'replayed', receipt: { issueNumber: 2 } } },
      { value: { kind: 'stored' } },
    ])
    expect(await numbers()).toEqual([1, 2, 3, 4])
  })

  it('refuses an id that is taken, and nothing else', async () => {
    await becomeAlone()
    const taken = plainReport(project)
    await submit(taken)
    const results = await submit(plainReport(project), taken)
    expect(results).toMatchObject([{ value: { kind: 'stored' } }, { value: { kind: 'id-taken' } }])
    expect(await numbers()).toEqual([1, 2, 3, 4])
  })

  it('goes ahead also with values that are counted as other, once it knows that they are', async () => {
    await becomeAlone()
    const ofVersion = (appVersion: string) => {
      const report = plainReport(project)
      return { ...report, content: { ...report.content, appVersion } }
    }
    // One is counted already.
    await submit(...Array.from({ length: MAX_COUNTED_VALUES - 1 }, (_, index) => ofVersion(`1.${index}`)))
    for (let count = 0; count < 3; count++) await submit(ofVersion('2.0'), ofVersion('2.1'))
    expect(ways).toEqual(['locked', 'locked', 'ahead', 'ahead'])
    expect(
      await stage.query(
        "SELECT value, count FROM counters WHERE dimension = 'app_version' AND value IN ('other', '2.0', '2.1')",
      ),
    ).toEqual([{ value: 'other', count: '6' }])
  })

  it('stores nothing in a project that is gone', async () => {
    await becomeAlone()
    await stage.query('UPDATE projects SET slug = NULL')
    expect(await submit(plainReport(project))).toEqual([{ value: { kind: 'no-project' } }])
    expect(await numbers()).toEqual([1, 2])
  })
})

type Row = Readonly<Record<string, unknown>>

/** The tables, with the column that puts them in order, and what else two reports that say the same do not share. */
const TABLES: readonly (readonly [table: string, order: string, ...own: string[]])[] = [
  ['issues', 'number', 'id', 'submission_id', 'created_position'],
  ['search', 'number'],
  ['events', 'position', 'issue_number'],
  ['submissions', 'issue_number', 'id'],
]

function without(row: Row, keys: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key)))
}

/** One that says all that one can. */
function fullReport(project: ProjectRecord, submissionId: string): NewReport {
  return {
    ...plainReport(project),
    receivedAt: 1_700_000_000_000,
    actor: 'key_someone',
    submission: { id: submissionId, contentHash: '07'.repeat(16) },
    content: normaliseSubmission({
      title: 'Settings screen stays blank',
      description: `It's "blank" \\ üß 画面`,
      category: 'performance',
      priority: 'high',
      appVersion: '2.4.1',
      buildNumber: '512',
      osVersion: '26.1',
      deviceModel: 'Pixel 10',
      platform: 'android',
      branch: 'release/2.4',
      occurredAt: '2026-01-01T00:00:00.000Z',
      metadata: { locale: 'en-GB', memoryMb: 100 },
      sdk: { name: 'bugle-js', version: '0.1.0' },
    }),
  }
}
