import { describe, expect, it } from 'vitest'
import { setNodes } from '../../../test-support/several-nodes.ts'

/** The tables that every node of a cluster would have in full: they do not grow with reports. */
const REFERENCE_TABLES = [
  ...[
    'access_tokens',
    'audit_log',
    'catalog',
    'deleted_projects',
    'imports',
    'keys',
    'links',
    'nodes',
    'projects',
    'removed_files',
    'schema_version',
    'sdk_builds',
    'sdk_files',
    'sender_keys',
    'sign_ins',
    'unassignments',
    'users',
    'views',
  ],
]

/** What a cluster like Citus requires of tables that are distributed by a column. `plans.thorough.ts` checks that queries use the column. */
describe('the tables of PostgreSQL', () => {
  const stage = setNodes()

  it('are distributed by project, except for those that do not grow', async () => {
    const tables = await stage.query<{ name: string; type: string | null }>(`
      SELECT t.table_name AS name, c.data_type AS type FROM information_schema.tables t
      LEFT JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
        AND c.column_name = 'project'
      WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' ORDER BY 1`)
    const distributed = tables.filter(({ name }) => !REFERENCE_TABLES.includes(name))
    expect(distributed.map(({ name }) => name)).toEqual([
      ...[
        'added_counts',
        'added_seen_values',
        'attachments',
        'attempts',
        'blocked_reporters',
        'blocked_senders',
        'bulk_changes',
        'comments',
        'counters',
        'deleted_issues',
        'deleted_labels',
        'deliveries',
        'events',
        'file_chunks',
        'files',
        'issue_labels',
        'issue_reporters',
        'issues',
        'labels',
        'project_heads',
        'read_marks',
        'report_exceptions',
        'report_sources',
        'report_texts',
        'reports',
      ],
      ...['search', 'seen_values', 'submissions', 'webhooks'],
    ])
    // One type: rows of a project are stored together only if the column has the same type in all tables.
    expect(new Set(distributed.map(({ type }) => type))).toEqual(new Set(['integer']))
  })

  it('are unique only within a project', async () => {
    const indexes = await stage.query<{ name: string; columns: string[] }>(`
      SELECT i.indexrelid::regclass::text AS name, array_agg(a.attname::text ORDER BY k.place) AS columns
      FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace
      CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
      WHERE i.indisunique AND t.relname <> ALL ('{${REFERENCE_TABLES}}') GROUP BY 1 ORDER BY 1`)
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
        AND t.relname <> ALL ('{${REFERENCE_TABLES}}') AND (
          NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = t.oid AND indisprimary)
          OR EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = t.oid)
          OR EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = t.oid AND contype = 'f')
          OR EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = t.oid AND (attidentity <> '' OR atthasdef)))`)
    expect(found).toEqual([])
  })
})
