import { describe, expect, it } from 'vitest'
import { setNodes } from '../../../test-support/several-nodes.ts'
import { DISTRIBUTED_TABLES, DISTRIBUTION_COLUMN, TABLES } from '../tables.ts'

const DISTRIBUTED = DISTRIBUTED_TABLES.map(({ name }) => name)
/** They do not grow with reports. */
const ON_COORDINATOR = TABLES.filter(
  (table) => table.isOnlyIn !== 'sqlite' && !DISTRIBUTED_TABLES.includes(table),
)

/** What a cluster like Citus requires of tables that are distributed by a column. `plans.thorough.ts` checks that queries use the column. */
describe('the tables of PostgreSQL', () => {
  const stage = setNodes()

  it('are distributed by project, except for those that do not grow', async () => {
    const tables = await stage.query<{ name: string; type: string | null }>(`
      SELECT t.table_name AS name, c.data_type AS type FROM information_schema.tables t
      LEFT JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
        AND c.column_name = '${DISTRIBUTION_COLUMN}'
      WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' ORDER BY 1`)
    const distributed = tables.filter(({ name }) => DISTRIBUTED.includes(name))
    expect(distributed.map(({ name }) => name)).toEqual(DISTRIBUTED.toSorted())
    // One type: rows of a project are stored together only if the column has the same type in all tables.
    expect(new Set(distributed.map(({ type }) => type))).toEqual(new Set(['integer']))
    expect(ON_COORDINATOR.map(({ name }) => name).toSorted()).toEqual([
      ...['access_tokens', 'audit_log', 'catalog', 'deleted_labels', 'deleted_projects', 'imports', 'keys'],
      ...['links', 'nodes', 'projects', 'removed_files', 'schema_version', 'sdk_builds', 'sdk_files'],
      ...['sender_keys', 'sign_ins', 'unassignments', 'users', 'views', 'webhooks'],
    ])
  })

  it('are unique only within a project', async () => {
    const indexes = await stage.query<{ name: string; columns: string[] }>(`
      SELECT i.indexrelid::regclass::text AS name, array_agg(a.attname::text ORDER BY k.place) AS columns
      FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace
      CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
      WHERE i.indisunique AND t.relname = ANY ('{${DISTRIBUTED}}') GROUP BY 1 ORDER BY 1`)
    expect(indexes.length).toBeGreaterThan(10)
    expect(indexes.filter(({ columns }) => !columns.includes('project'))).toEqual([])
    // No query may use these indexes to scan a project: see their migrations.
    expect(indexes.filter(({ columns }) => columns[0] !== 'project').map(({ name }) => name)).toEqual([
      'reports_by_id',
      'search_pkey',
    ])
  })

  it('all have a key, and neither sequences, triggers nor references', async () => {
    const found = await stage.query<{ name: string }>(`
      SELECT t.relname AS name FROM pg_class t WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace
        AND t.relname = ANY ('{${DISTRIBUTED}}') AND (
          NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = t.oid AND indisprimary)
          OR EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = t.oid)
          OR EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = t.oid AND contype = 'f')
          OR EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = t.oid AND (attidentity <> '' OR atthasdef)))`)
    expect(found).toEqual([])
  })
})
