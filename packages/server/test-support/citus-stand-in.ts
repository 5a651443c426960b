import pg from 'pg'
import { distributePostgres } from '../src/storage/postgres/cluster/distribution.ts'

/**
 * Makes a database look as if Citus was installed: the tests do not have it. Tables are not distributed, but recorded as such, so that
 * storages send the statements that a cluster would get.
 */
export async function installCitusStandIn(url: string): Promise<void> {
  await run(
    url,
    `SET allow_system_table_mods = on;
     INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
       SELECT 4000000001, 'citus', oid, 'public'::regnamespace, false, 'stand-in' FROM pg_roles WHERE rolname = current_user;
     CREATE TABLE pg_dist_partition (logicalrelid regclass PRIMARY KEY, distributed_by text, with_table text);
     CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, colocate_with text) RETURNS void
       LANGUAGE sql AS 'INSERT INTO pg_dist_partition VALUES (table_name, distribution_column, colocate_with)'`,
  )
}

/** The same, with the tables recorded as distributed. */
export async function pretendCluster(url: string): Promise<void> {
  await installCitusStandIn(url)
  await distributePostgres(url, () => {})
}

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
