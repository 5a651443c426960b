import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeProject } from '../../src/domain/projects/projects.ts'
import type { SearchTerm } from '../../src/model/issue-lists.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import { parseSearch } from '../../src/model/search/search-query.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { reportOf } from '../transfer-story.ts'

/** The schema versions before this release's, of which a small database is kept. */
export function keptVersions(database: 'sqlite' | 'postgres'): readonly number[] {
  const names = readdirSync(import.meta.dirname).map((name) =>
    new RegExp(`^${database}-(\\d+)\\.sql$`).exec(name),
  )
  return names.flatMap((match) => (match === null ? [] : [Number(match[1])])).sort((a, b) => a - b)
}

export function fixtureOf(database: 'sqlite' | 'postgres', version: number): string {
  return readFileSync(join(import.meta.dirname, `${database}-${version}.sql`), 'utf8')
}

/** What every fixture holds can be read, searched and added to. */
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

const EVERYTHING = {
  lanes: ['open', 'security'],
  statuses: null,
  categories: null,
  priorities: null,
  platforms: null,
  appVersions: null,
  branches: null,
  createdAfter: null,
  createdBefore: null,
} as const

/** Every issue is found by its title, as a phrase. */
async function expectSearchable(storage: Storage, { id: projectId }: ProjectRecord): Promise<void> {
  const titlesOf = async (search: readonly SearchTerm[] | null) => {
    const selection = { ...EVERYTHING, projectId, search }
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
 * A reader without the right to the security lane goes on from any position it was given before the upgrade: it skips and
 * repeats nothing, and from now on hidden events leave no gap.
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

/** Rows by table, without what says which version it is. */
export type Tables = ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>

/** Every row of every table is there with every value it had; there may be more of both. */
export function expectKept(before: Tables, after: Tables): void {
  expect(before.size).toBeGreaterThan(10)
  for (const [table, rows] of before) {
    const now = after.get(table) ?? []
    expect({ table, count: now.length }).toEqual({ table, count: rows.length })
    for (const row of rows) expect(now).toContainEqual(expect.objectContaining(row))
  }
}
