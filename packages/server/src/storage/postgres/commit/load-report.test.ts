import { expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import { uuidOf } from '../driver/uuids.ts'
import { SELECT_USE } from './load-report.ts'

const stage = setNodes()

it('finds another report with the same text without reading all of them', async () => {
  const node = await stage.openNode()
  const report = plainReport(await addProject(node))
  await node.issues.submit(report)
  await stage.query(`INSERT INTO reports (project, issue_number, number, id, received_at, text_number)
    SELECT 1, 1, n, gen_random_uuid(), 0, CASE WHEN n > 5000 THEN 2 ELSE 3 END FROM generate_series(2, 10000) n`)
  for (const statistics of ['SELECT 1', 'ANALYZE']) {
    await stage.query(statistics)
    await using client = await stage.connect()
    await client.query('SET enable_sort = off')
    const { text, values = [] } = SELECT_USE(1, [uuidOf(report.issueId)], 2, 5_001)
    expect((await client.query(text, [...values])).rows).toEqual([{ number: 5_002 }])
    const plan = await client.query(`EXPLAIN (ANALYZE, COSTS off, TIMING off) ${text}`, [...values])
    const lines: string[] = plan.rows.map((row) => row['QUERY PLAN'])
    expect(lines.join('\n')).toContain('reports_by_text')
    const rows = lines.flatMap((line) => line.match(/(?:Removed by Filter: |rows=)(\d+)/)?.[1] ?? [])
    expect(Math.max(...rows.map(Number))).toBeLessThan(10)
  }
})
