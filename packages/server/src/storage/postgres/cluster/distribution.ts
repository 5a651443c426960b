import { DISTRIBUTED_TABLES, DISTRIBUTION_COLUMN } from '../../tables.ts'
import { connect, type Database, type Session } from '../driver/connection.ts'
import { createConnector } from '../driver/connector.ts'
import { currentProjects } from '../migrations/0025-project-heads.ts'
import { requireSchema, schemaVersion } from '../migrations/migrate.ts'

/** Rows that are already stored are copied to their nodes. */
const DISTRIBUTE_TIMEOUT_MS = 24 * 3_600_000

export type DistributionOutcome = 'distributed' | 'not-migrated' | 'no-citus' | 'already-distributed'

/** Whether the tables are distributed over the nodes of a cluster. */
export async function isDistributed(session: Session): Promise<boolean> {
  return (await hasCitus(session)) && (await listDistributed(session)).length > 0
}

/** Distributes the tables that `tables.ts` names and that are not distributed yet, all of them or none. */
export async function distributePostgres(
  url: string,
  onTable: (table: string, column: string) => void,
): Promise<DistributionOutcome> {
  const database = connect(createConnector(url))
  try {
    if ((await schemaVersion(database)) === 0) return 'not-migrated'
    await requireSchema(database)
    if (!(await hasCitus(database))) return 'no-citus'
    return await distributeTables(database, onTable)
  } finally {
    await database.close()
  }
}

async function distributeTables(
  database: Database,
  onTable: (table: string, column: string) => void,
): Promise<DistributionOutcome> {
  const known = await listDistributed(database)
  const missing = DISTRIBUTED_TABLES.map(({ name }) => name).filter((name) => !known.includes(name))
  if (missing.length === 0) return 'already-distributed'
  await database.transaction(async (tx) => {
    const run = (text: string, ...values: readonly string[]) =>
      tx.run({ text, values, timeoutMs: DISTRIBUTE_TIMEOUT_MS })
    await run('SET LOCAL lock_timeout = 0')
    await run('SET LOCAL statement_timeout = 0')
    for (const text of READ_HEADS_APART) await run(text)
    let [first = 'none'] = known
    for (const table of missing) {
      // The rows of a project are on the same node, whatever their table.
      await run(
        'SELECT create_distributed_table($1, $2, colocate_with => $3)',
        table,
        DISTRIBUTION_COLUMN,
        first,
      )
      if (first === 'none') first = table
      onTable(table, DISTRIBUTION_COLUMN)
    }
  })
  return 'distributed'
}

/** Citus cannot join a table of the coordinator with the latest row of a distributed one, but a function can read it. */
const READ_HEADS_APART = [
  `CREATE OR REPLACE FUNCTION head_of_project(seq integer)
     RETURNS TABLE (last_issue_number integer, last_event_position bigint, last_open_position bigint)
     LANGUAGE plpgsql STABLE ROWS 1 AS $$
   BEGIN
     RETURN QUERY SELECT h.last_issue_number, h.last_event_position, h.last_open_position
       FROM project_heads h WHERE h.project = seq ORDER BY h.generation DESC LIMIT 1;
   END $$`,
  `CREATE OR REPLACE ${currentProjects('head_of_project(p.seq)')}`,
]

async function hasCitus(session: Session): Promise<boolean> {
  const rows = await session.run({ text: "SELECT 1 FROM pg_extension WHERE extname = 'citus'", values: [] })
  return rows.length > 0
}

/** The catalog exists only if Citus is installed. */
async function listDistributed(session: Session): Promise<readonly string[]> {
  const rows = await session.run<{ name: string }>({
    text: 'SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE logicalrelid::text = ANY ($1) ORDER BY 1',
    values: [DISTRIBUTED_TABLES.map(({ name }) => name)],
  })
  return rows.map(({ name }) => name)
}
