import { describe, expect, it } from 'vitest'
import { installCitusStandIn } from '../../../test-support/citus-stand-in.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { setNodes } from '../../../test-support/several-nodes.ts'
import { emptyPostgresDatabase } from '../../../test-support/temporary-database.ts'
import { DISTRIBUTED_TABLES } from '../../storage/tables.ts'

describe('bugle cluster distribute', () => {
  const stage = setNodes()
  const distribute = (url: string, ...options: readonly string[]) =>
    runBugle(['cluster', 'distribute', ...options], { BUGLE_DATABASE_URL: url })

  it('distributes every table that grows with its project, next to each other, and says so', async () => {
    await installCitusStandIn(stage.url)
    const { code, stdout, stderr } = await distribute(stage.url)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^issues: distributed by project$/m)
    expect(stdout).toMatch(new RegExp(`^Distributed ${DISTRIBUTED_TABLES.length} tables\\.`, 'm'))
    const rows = await stage.query<{ name: string; column: string; with_table: string }>(
      'SELECT logicalrelid::text AS name, distributed_by AS column, with_table FROM pg_dist_partition',
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      DISTRIBUTED_TABLES.map(({ name }) => name).toSorted(),
    )
    expect(new Set(rows.map(({ column }) => column))).toEqual(new Set(['project']))
    const [first] = DISTRIBUTED_TABLES
    expect(new Set(rows.map((row) => row.with_table))).toEqual(new Set(['none', first?.name]))
  })

  it('distributes tables that a later release adds, and refuses if there are none', async () => {
    await installCitusStandIn(stage.url)
    await distribute(stage.url)
    await stage.query("DELETE FROM pg_dist_partition WHERE logicalrelid = 'labels'::regclass")
    expect(JSON.parse((await distribute(stage.url, '--json')).stdout)).toEqual({ tables: ['labels'] })
    expect(await distribute(stage.url)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'bugle: all tables are already distributed\n',
    })
  })

  it('refuses a database without Citus, without our tables, or of SQLite', async () => {
    await using empty = await emptyPostgresDatabase()
    for (const [url, reason] of [
      [stage.url, 'Citus is not installed in this database'],
      [empty.url, 'there is no Bugle database'],
      ['sqlite:/nowhere/bugle.db', 'this one is SQLite'],
    ] as const) {
      const { code, stdout, stderr } = await distribute(url)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(reason)
    }
  })
})
