import { MAX_COUNTED_VALUES } from '@bugle/contract/vocabulary'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import type { ProjectRecord } from '../../../model/projects.ts'
import type { NewReport } from '../../../model/reports/reports.ts'
import { normaliseSubmission } from '../../../model/reports/reports.ts'
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

  /** Writes until this node knows that it is the only writer. */
  async function becomeAlone(): Promise<void> {
    for (const id of ['first', 'second']) await submit(fullReport(project, id))
    expect(ways.splice(0)).toEqual(['locked', 'locked'])
  }

  const numbers = async () =>
    (await stage.query<{ number: number }>('SELECT number FROM issues ORDER BY number')).map(
      (row) => row.number,
    )

  it('stores the same with and without reading first', async () => {
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
    expect(await stage.query('SELECT last_issue_number, last_event_position FROM current_projects')).toEqual([
      { last_issue_number: 5, last_event_position: '5' },
    ])
    expect(
      await stage.query("SELECT count FROM current_counters WHERE dimension = 'intake' AND value = 'stored'"),
    ).toEqual([{ count: '5' }])
  })

  it('counts the same versions, builds and branches, whatever their names contain', async () => {
    await becomeAlone()
    const names = [
      { appVersion: '2.4.1', buildNumber: null, branch: null },
      { appVersion: '2.4.1', buildNumber: '7', branch: null },
      { appVersion: null, buildNumber: '7', branch: '' },
      { appVersion: '', buildNumber: '7', branch: 'main' },
      { appVersion: '"\\/\u{1}\u{7f}\t\u2028', buildNumber: '[“ü” 画面 👷]', branch: "release's" },
    ]
    const reports = () =>
      names.map((named, index) => {
        const report = plainReport(project)
        return { ...report, receivedAt: 1_700_000_000_000 + index, content: { ...report.content, ...named } }
      })
    const seen = () =>
      stage.query<Row>(
        `SELECT lane, dimension, value, build_number, reports, new_issues, first_at, last_at FROM current_seen_values
         ORDER BY dimension, value, build_number`,
      )
    const none = await seen()
    await submit(...reports())
    const once = await seen()
    await submit(...reports())
    expect(ways).toEqual(['locked', 'ahead'])
    const added = (before: Row | undefined, after: Row) =>
      Number(after['reports']) - Number(before?.['reports'] ?? 0)
    const counted = once.map((row) => added(none.find(isSameValue(row)), row))
    const twice = await seen()
    expect(twice.map((row) => added(once.find(isSameValue(row)), row))).toEqual(counted)
    expect(counted.filter((count) => count > 0)).toHaveLength(5)
    const times = (rows: readonly Row[]) => rows.map(({ first_at, last_at }) => [first_at, last_at])
    expect(times(twice)).toEqual(times(once))
    expect(twice.map((row) => row['new_issues'])).toEqual(twice.map((row) => Number(row['reports'])))
  })

  it('reads first again when another node was faster', async () => {
    await becomeAlone()
    await node.issues.submit(plainReport(project))
    for (let count = 0; count < 4; count++) await submit(plainReport(project))
    expect(ways).toEqual(['ahead', 'locked', 'locked', 'ahead', 'ahead'])
    expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('stores a repeated submission once, together with the rest of its batch', async () => {
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

  it('refuses only an id that is taken', async () => {
    await becomeAlone()
    const taken = plainReport(project)
    await submit(taken)
    const results = await submit(plainReport(project), taken)
    expect(results).toMatchObject([{ value: { kind: 'stored' } }, { value: { kind: 'id-taken' } }])
    expect(await numbers()).toEqual([1, 2, 3, 4])
  })

  it('also works with values that are known to be counted as other', async () => {
    await becomeAlone()
    const ofModel = (deviceModel: string) => {
      const report = plainReport(project)
      return { ...report, content: { ...report.content, deviceModel } }
    }
    // One is already counted.
    await submit(...Array.from({ length: MAX_COUNTED_VALUES - 1 }, (_, index) => ofModel(`1.${index}`)))
    for (let count = 0; count < 3; count++) await submit(ofModel('2.0'), ofModel('2.1'))
    expect(ways).toEqual(['locked', 'locked', 'ahead', 'ahead'])
    expect(
      await stage.query(
        "SELECT value, count FROM current_counters WHERE dimension = 'device_model' AND value IN ('other', '2.0', '2.1')",
      ),
    ).toEqual([{ value: 'other', count: '6' }])
  })

  it('stores nothing in a deleted project', async () => {
    await becomeAlone()
    await node.projects.delete(project.id)
    expect(await submit(plainReport(project))).toEqual([{ value: { kind: 'no-project' } }])
    expect(await numbers()).toEqual([])
  })
})

type Row = Readonly<Record<string, unknown>>

/** The tables, with their sort column and the columns in which two equal reports differ. */
const TABLES: readonly (readonly [table: string, order: string, ...own: string[]])[] = [
  ['issues', 'number', 'id', 'submission_id', 'created_position'],
  ['search', 'number'],
  ['events', 'position', 'issue_number'],
  ['submissions', 'issue_number', 'id'],
]

function isSameValue(one: Row): (other: Row) => boolean {
  return (other) => ['dimension', 'value', 'build_number'].every((column) => other[column] === one[column])
}

function without(row: Row, keys: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key)))
}

/** A report with all fields. */
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
