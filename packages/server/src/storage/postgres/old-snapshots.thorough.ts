import { describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../test-support/plain-reports.ts'
import { setNodes } from '../../../test-support/several-nodes.ts'
import { GENERATION_COMMITS } from './commit/project-heads.ts'

const COMMITS = 10 * GENERATION_COMMITS

/** The tables that commits write again, with the updates of each row on average: as many dead versions as later updates have to skip. */
const COUNT_VERSIONS = `SELECT relname AS name, n_tup_upd::integer AS updates, ceil(n_tup_upd / greatest(1.0, n_tup_ins))::integer AS versions
  FROM pg_stat_user_tables WHERE n_tup_upd > 0 ORDER BY 1`

describe('reports beside a snapshot that stays open', () => {
  const stage = setNodes()

  it('leave a limited number of dead versions of each row', async () => {
    const storage = await stage.openNode()
    const project = await addProject(storage)
    const submit = () => {
      const report = plainReport(project)
      return storage.issues.submit({ ...report, content: { ...report.content, appVersion: '2.4.1' } })
    }
    await submit()
    await using reader = await stage.connect()
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM projects')
    for (let count = 0; count < COMMITS; count++) await submit()
    const read = () => stage.query<{ name: string; updates: number; versions: number }>(COUNT_VERSIONS)
    // Backends report what they have done with a delay.
    await expect
      .poll(async () => (await read()).find(({ name }) => name === 'project_heads')?.updates)
      .toBeGreaterThan(COMMITS * 0.95)
    const tables = await read()
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['added_counts', 'counters']))
    expect(tables.filter(({ versions }) => versions > GENERATION_COMMITS)).toEqual([])
    await reader.query('COMMIT')
    const stats = await storage.stats.read(project.id, ['open'])
    expect(stats.counts.status.get('open')).toBe(COMMITS + 1)
  })
})
