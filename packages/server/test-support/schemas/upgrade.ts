import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeProject } from '../../src/domain/projects.ts'
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
  const outcome = await storage.issues.submit(reportOf(weather, null, 'After the upgrade'))
  expect(outcome).toMatchObject({ kind: 'stored', receipt: { issueNumber: 9 } })
  const maps = makeProject({ ...weather, slug: 'maps' })
  expect(await storage.projects.create(maps)).toBe('created')
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
