import { describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import { inspectPostgres } from '../maintenance/inspect.ts'
import { GENERATION_COMMITS } from './project-heads.ts'

describe('the head of a project', () => {
  const stage = setNodes()
  const query = (text: string) => stage.query<{ value: string | number }>(text).then((rows) => rows[0]?.value)

  it('begins a new generation after some commits, whichever node makes them, and nothing is counted twice', async () => {
    const nodes = [await stage.openNode(), await stage.openNode()] as const
    const project = await addProject(nodes[0])
    const commits = 2 * GENERATION_COMMITS + 10
    for (let count = 0; count < commits; count++) {
      const report = plainReport(project, count % 5 === 0 ? 'crash' : null)
      const content = { ...report.content, appVersion: `2.${count % 3}`, branch: 'main' }
      // A node writes several times in a row, so that it also commits without reading first.
      await nodes[Math.floor(count / 7) % 2 === 0 ? 0 : 1].issues.submit({ ...report, content })
    }
    expect(await query('SELECT count(*)::integer AS value FROM project_heads')).toBe(1)
    expect(await query('SELECT generation AS value FROM project_heads')).toBe(3)
    expect(await query('SELECT max(commits) AS value FROM project_heads')).toBeLessThanOrEqual(
      GENERATION_COMMITS,
    )
    expect(await query('SELECT count(DISTINCT generation)::integer AS value FROM added_counts')).toBe(1)
    expect(
      await query("SELECT sum(reports) AS value FROM current_seen_values WHERE dimension = 'version'"),
    ).toBe(`${commits}`)
    const { counts: statistics } = await nodes[0].stats.read(project.id, ['open'])
    const issues = await query('SELECT count(*)::integer AS value FROM issues')
    for (const dimension of ['status', 'app_version', 'branch'] as const)
      expect([...statistics[dimension].values()].reduce((sum, one) => sum + one, 0)).toBe(issues)
    await using inspection = await inspectPostgres(stage.url)
    const { counts, faults } = await inspection.audit()
    expect(faults).toEqual([])
    expect(counts.reports).toBe(commits)
  })

  it('has every other column of the project in the view', async () => {
    await stage.openNode()
    const columnsOf = (table: string) =>
      query(`SELECT string_agg(column_name, ' ' ORDER BY column_name) AS value FROM information_schema.columns
        WHERE table_name = '${table}'`)
    for (const table of ['projects', 'counters', 'seen_values'])
      expect(await columnsOf(`current_${table}`)).toBe(await columnsOf(table))
  })
})
