import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeProject } from '../../src/domain/projects/projects.ts'
import { projectNumberOf, timeOf } from '../../src/model/ids.ts'
import { everyIssue, type SearchTerm } from '../../src/model/issue-lists.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import { parseSearch } from '../../src/model/search/search-query.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { reportOf } from '../transfer-projects.ts'

/** The earlier schema versions, each with a small database as a fixture. */
export function keptVersions(database: 'sqlite' | 'postgres'): readonly number[] {
  const names = readdirSync(import.meta.dirname).map((name) =>
    new RegExp(`^${database}-(\\d+)\\.sql$`).exec(name),
  )
  return names.flatMap((match) => (match === null ? [] : [Number(match[1])])).sort((a, b) => a - b)
}

export function fixtureOf(database: 'sqlite' | 'postgres', version: number): string {
  return readFileSync(join(import.meta.dirname, `${database}-${version}.sql`), 'utf8')
}

/** The data of every fixture can be read, searched and extended. */
export async function expectInService(storage: Storage): Promise<void> {
  const weather = await storage.projects.find('weather')
  if (weather === undefined) throw new Error('the project is gone')
  const selection = { projectId: weather.id, lanes: ['open', 'security'] as const }
  expect(await storage.webhooks.list({ ...selection, afterNumber: 0, limit: 10 })).toHaveLength(1)
  expect((await storage.keys.list(weather.id)).map(({ name }) => name)).toEqual(['iOS app', 'Team'])
  await expectSearchable(storage, weather)
  const outcome = await storage.issues.submit(reportOf(weather, null, 'After the upgrade'))
  expect(outcome).toMatchObject({ kind: 'stored', receipt: { issueNumber: 9 } })
  const maps = makeProject({ ...weather, slug: 'maps' })
  expect(await storage.projects.create(maps)).toBe('created')
}

/** Every issue is found by its title, as a phrase. */
async function expectSearchable(storage: Storage, { id: projectId }: ProjectRecord): Promise<void> {
  const titlesOf = async (search: readonly SearchTerm[] | null) => {
    const selection = { ...everyIssue(projectId, ['open', 'security']), search }
    const { issues } = await storage.issues.list({
      selection,
      sort: 'newest',
      start: { offset: 0 },
      limit: 100,
    })
    return issues.map(({ title }) => title)
  }
  const titles = await titlesOf(null)
  expect(titles).toHaveLength(8)
  for (const title of titles) expect(await titlesOf(parseSearch(`"${title}"`))).toContain(title)
  expect(await titlesOf(parseSearch('nowhere'))).toEqual([])
}

/**
 * A reader without access to the security lane can continue from any position it received before the upgrade:
 * it skips and repeats nothing, and from then on hidden events leave no gap.
 */
export async function expectPositionsGoOn(storage: Storage, openBefore: readonly number[]): Promise<void> {
  const weather = await storage.projects.find('weather')
  if (weather === undefined) throw new Error('the project is gone')
  const projectId = weather.id
  const read = async (after: number) => {
    const part = await storage.events.list({ projectId, lanes: ['open'], types: null, after, limit: 1_000 })
    return part.events.map(({ openPosition }) => openPosition)
  }
  const { start, end } = await storage.events.window(projectId, ['open'])
  const kept = openBefore.filter((position) => position > start)
  expect(kept.length).toBeGreaterThan(0)
  for (const after of [start, ...kept]) {
    expect(await read(after)).toEqual(kept.filter((position) => position > after))
  }

  const hidden = reportOf(weather, null, 'Hidden')
  await storage.issues.submit({ ...hidden, content: { ...hidden.content, category: 'security' } })
  await storage.issues.submit(reportOf(weather, null, 'Open to all'))
  expect(await read(end)).toEqual([end + 1])
}

/** From these versions on, the fixtures have an issue whose title was changed. */
const FIRST_EDITED: Readonly<Record<string, number>> = { sqlite: 11, postgres: 13 }
const EDITED_ISSUE = 8

function isEdited(fixture: string, issueNumber: number): boolean {
  const [database = '', version] = fixture.split('-')
  return issueNumber === EDITED_ISSUE && Number(version) >= (FIRST_EDITED[database] ?? 0)
}

/** Every report now has an id, and shows whether its text is known. */
export async function expectReportsKnown(storage: Storage, fixture: string): Promise<void> {
  const weather = await storage.projects.find('weather')
  if (weather === undefined) throw new Error('the project is gone')
  const ids = new Set<string>()
  for (let number = 1; number <= 8; number++) {
    const issue = await storage.issues.findByNumber(weather.id, number)
    if (issue === undefined) throw new Error(`issue ${number} is gone`)
    const listing = { issue, before: issue.reportCount + 1, limit: 100, isDistinct: false }
    const reports = await storage.issues.listReports(listing)
    expect(reports).toHaveLength(issue.reportCount)
    for (const { id, reportNumber, receivedAt, ...report } of reports) {
      ids.add(id)
      expect([timeOf(id), projectNumberOf(id)]).toEqual([receivedAt, projectNumberOf(weather.id)])
      const isKnown = reportNumber === 1 && !isEdited(fixture, number)
      const { title, description } = isKnown ? issue : { title: null, description: null }
      expect(report).toMatchObject({ title, description, textOmitted: isKnown ? null : 'not-recorded' })
    }
  }
  expect(ids.size).toBeGreaterThan(8)
}

type Row = Readonly<Record<string, unknown>>

const ADDED_DIMENSIONS: readonly unknown[] = ['os_version', 'device_model']
/** Issues by version are counted with the versions since a later version. */
const REMOVED_DIMENSIONS: readonly unknown[] = ['app_version']

/** The number of further reports of each issue on each day. */
function reportDays(rows: readonly Row[]): Readonly<Record<string, number>> {
  const days: Record<string, number> = {}
  for (const { project, issue_number: number, issue_row: row = `${project}/${number}`, day, count } of rows)
    days[`${row} ${day}`] = (days[`${row} ${day}`] ?? 0) + Number(count)
  return days
}

function reportsIn(sources: readonly Row[]): number {
  return sources.reduce((sum, { count }) => sum + Number(count), 0)
}

/**
 * Versions and branches with what was counted for each, and builds. Builds had entries of their own until a later version; on PostgreSQL,
 * some entries are still to be merged.
 */
function seenIn(tables: Tables): Readonly<Record<string, readonly number[]>> {
  const sums: Record<string, readonly number[]> = {}
  const add = (row: Row, ...names: readonly unknown[]) => {
    const key = [row['project'], row['lane'], ...names].join(' ')
    const counts = [row['reports'], row['new_issues'], row['fixed_issues'], row['regressions']].map(Number)
    const [firstAt, lastAt] = [Number(row['first_at']), Number(row['last_at'])]
    const [first = firstAt, last = lastAt, ...known] = sums[key] ?? []
    const added = counts.map((count, index) => count + (known[index] ?? 0))
    sums[key] = [Math.min(first, firstAt), Math.max(last, lastAt), ...added]
  }
  for (const row of [...(tables.get('seen_values') ?? []), ...(tables.get('added_seen_values') ?? [])]) {
    const { dimension, value, build_number: build } = row
    if (dimension === 'build') add(row, 'build', ...(JSON.parse(String(value)) as readonly string[]))
    else add(row, dimension, value)
    if (build) add(row, 'build', value, build)
  }
  return sums
}

/** Rows by table, without the schema version. */
export type Tables = ReadonlyMap<string, readonly Row[]>

/** Every row of every table still exists with all its values; there may be more rows and columns. */
export function expectKept(before: Tables, after: Tables): void {
  expect(before.size).toBeGreaterThan(10)
  if (before.has('seen_values')) expect(seenIn(after)).toEqual(seenIn(before))
  for (const [table, stored] of before) {
    if (table === 'seen_values' || table === 'added_seen_values') continue
    const now = after.get(table) ?? []
    const rows = stored.filter(({ dimension }) => !REMOVED_DIMENSIONS.includes(dimension))
    // The sources have the days since a later version.
    if (table === 'report_days') {
      expect(reportDays(after.get('report_sources') ?? [])).toEqual(reportDays(rows))
      continue
    }
    // Counted by day since a later version.
    if (table === 'report_sources') {
      expect({ table, reports: reportsIn(now) }).toEqual({ table, reports: reportsIn(rows) })
      continue
    }
    // Statistics by operating system and device model are counted since a later version.
    const had = new Set(rows.map(({ dimension }) => dimension))
    const kept = now.filter(({ dimension }) => !ADDED_DIMENSIONS.includes(dimension) || had.has(dimension))
    expect({ table, count: kept.length }).toEqual({ table, count: rows.length })
    for (const row of rows) expect(now).toContainEqual(expect.objectContaining(row))
  }
}
