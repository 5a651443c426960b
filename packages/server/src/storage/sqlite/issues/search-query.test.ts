import { MAX_EXAMINED_ROWS } from '@bugle/contract/vocabulary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { everyIssue } from '../../../model/issue-lists.ts'
import type { ProjectRecord } from '../../../model/projects.ts'
import { parseSearch } from '../../../model/search/search-query.ts'
import type { Storage } from '../../storage.ts'
import { IN_MEMORY } from '../driver/connection.ts'
import { openSqliteInline } from '../sqlite-storage.ts'

const BATCH = 256
/** More than the limit for counting. */
const COMMON = Math.ceil((1.1 * MAX_EXAMINED_ROWS) / BATCH) * BATCH

describe('the count of a phrase', () => {
  let storage: Storage
  let project: ProjectRecord

  beforeAll(async () => {
    storage = openSqliteInline(IN_MEMORY)
    project = await addProject(storage)
    for (let stored = 0; stored < COMMON; stored += BATCH) await submit('The screen of the settings', BATCH)
    await submit('The settings screen of an iPad', 3)
    await submit('An iPad of the first generation', 2)
  })
  afterAll(() => storage.close())

  async function submit(title: string, times: number): Promise<void> {
    await Promise.all(
      Array.from({ length: times }, () => {
        const report = plainReport(project)
        return storage.issues.submit({ ...report, content: { ...report.content, title } })
      }),
    )
  }

  function count(q: string): Promise<number | null> {
    return storage.issues.count({ ...everyIssue(project.id, ['open', 'security']), search: parseSearch(q) })
  }

  it.each([
    // Every issue contains these words; few contain them consecutively.
    ['"settings screen of"', 3],
    ['ipad "settings screen of"', 3],
    ['"an ipad"', 5],
    ['"settings screen of an ipad"', 3],
    ['"ipad of"', 2],
    ['"ipad screen"', 0],
    ['"settings screen o*"', 3],
  ])('%s is exact: %i', async (q, expected) => {
    expect(await count(q)).toBe(expected)
  })
})
