import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { temporaryPostgresDatabase } from '../../../../test-support/temporary-database.ts'
import { everyIssue, LIST_BOUNDS, type ListStart } from '../../../model/issue-lists.ts'
import type { ProjectRecord } from '../../../model/projects.ts'
import { parseSearch } from '../../../model/search/search-query.ts'
import type { Storage } from '../../storage.ts'
import { openPostgresStorage } from '../postgres-storage.ts'
import { BLOCK_ISSUES } from './search-index.ts'

const BLOCKS = 4
/** Words that all issues contain, consecutively in every second one. */
const TITLES = ['The screen of the settings', 'A screen of the settings']

describe('a phrase of common words', () => {
  let database: Awaited<ReturnType<typeof temporaryPostgresDatabase>>
  let storage: Storage
  let project: ProjectRecord
  const matching: number[] = []

  beforeAll(async () => {
    database = await temporaryPostgresDatabase()
    // Less than the cost of one block.
    storage = await openPostgresStorage(database.url, undefined, { ...LIST_BOUNDS, phraseWork: 1 })
    project = await addProject(storage)
    for (let block = 0; block < BLOCKS; block++) {
      await skipTo(block * BLOCK_ISSUES)
      for (const [index, title] of [...TITLES, ...TITLES].entries()) {
        const report = plainReport(project)
        await storage.issues.submit({ ...report, content: { ...report.content, title } })
        if (title === TITLES[0]) matching.push(block * BLOCK_ISSUES + index + 1)
      }
    }
  })
  afterAll(async () => {
    await storage.close()
    await database[Symbol.asyncDispose]()
  })

  async function skipTo(number: number): Promise<void> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('UPDATE project_heads SET last_issue_number = $1', [number])
    await client.end()
  }

  const selectionOf = (q: string) => ({ ...everyIssue(project.id, ['open']), search: parseSearch(q) })

  it.each(['newest', 'oldest'] as const)(
    'is searched for in as many issues as one request may read, then by cursor, sorted by %s',
    async (sort) => {
      const seen: number[] = []
      let start: ListStart | null = { offset: 0 }
      let parts = 0
      while (start !== null) {
        const listing = { selection: selectionOf('"the screen"'), sort, start, limit: 100 }
        const { issues, next, total } = await storage.issues.list(listing)
        if (parts === 0) expect(total).toBeNull()
        seen.push(...issues.map(({ issueNumber }) => issueNumber))
        start = next && { after: next }
        parts++
      }
      expect(seen).toEqual(sort === 'oldest' ? matching : matching.toReversed())
      expect(parts).toBe(BLOCKS)
    },
  )

  it('is not counted if that would be too expensive, while its words are', async () => {
    expect(await storage.issues.count(selectionOf('"the screen"'))).toBeNull()
    expect(await storage.issues.count(selectionOf('the screen'))).toBe(BLOCKS * 2 * TITLES.length)
  })
})
