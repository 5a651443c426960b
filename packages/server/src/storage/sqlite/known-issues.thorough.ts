import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MAX_KNOWN_ISSUES } from '@bugle/contract/vocabulary'
import { expect, it } from 'vitest'
import { cpuMsDuring } from '../../../test-support/cpu-time.ts'
import { projectOf, reportFor } from '../../../test-support/storage-stage.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../storage.ts'
import { openSqliteInline } from './sqlite-storage.ts'

const OTHER_ISSUES = 30_000
const ATTEMPTS = 15

it('a search costs the same with many other issues as with none', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const storage = openSqliteInline(path)
  const [small, large] = [projectOf('small'), projectOf('large')]
  for (const project of [small, large]) {
    await storage.projects.create(project)
    await storage.issues.submit(reportFor(project))
  }
  {
    using db = new DatabaseSync(path)
    fill(db, small, MAX_KNOWN_ISSUES)
    fill(db, large, MAX_KNOWN_ISSUES + OTHER_ISSUES)
  }
  const [least, most] = [await cheapestSearch(storage, small), await cheapestSearch(storage, large)]
  expect(most).toBeLessThan(3 * least + 10)
  await storage.close()
})

/** Copies the first issue of a project, and publishes as many of the copies as can be, evenly spread. */
function fill(db: DatabaseSync, { slug }: ProjectRecord, count: number): void {
  const every = Math.floor(count / MAX_KNOWN_ISSUES)
  const columns = db.prepare("SELECT name FROM pragma_table_info('issues')").all() as { name: string }[]
  const copied = columns.map(({ name }) => name).filter((name) => !OWN_COLUMNS.includes(name))
  db.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
     INSERT INTO issues (${OWN_COLUMNS.join(', ')}, ${copied.join(', ')})
     SELECT i.row + n.n, randomblob(16), hex(randomblob(1000)),
       CASE WHEN n.n % ${every} = 0 AND n.n <= ${every * MAX_KNOWN_ISSUES} THEN 'Settings screen ' || n.n END,
       ${copied.map((name) => `i.${name}`).join(', ')}
     FROM n CROSS JOIN issues i WHERE i.row = ((SELECT seq FROM projects WHERE slug = ?) << 32) + 1`,
  ).run(slug)
}

const OWN_COLUMNS: readonly string[] = ['row', 'id', 'description', 'known_title']

/** The least CPU time of several searches. */
async function cheapestSearch({ knownIssues }: Storage, { id }: ProjectRecord): Promise<number> {
  const times: number[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { value, cpuMs } = await cpuMsDuring(() => knownIssues.search(id, 'settings screen', 3))
    expect(value).toHaveLength(3)
    times.push(cpuMs)
  }
  return Math.min(...times)
}
