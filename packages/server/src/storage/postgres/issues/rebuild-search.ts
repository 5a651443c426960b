import { createConnector } from '../driver/connector.ts'
import { toFault } from '../driver/faults.ts'

/** Rebuilds the full-text index while reads and writes continue. */
export async function rebuildPostgresSearch(url: string): Promise<void> {
  const { client } = await createConnector(url).connect()
  try {
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0')
    // The driver would otherwise time out.
    await client.query({ text: 'REINDEX INDEX CONCURRENTLY search_by_token', ...NO_TIMEOUT })
  } catch (error) {
    throw toFault(error)
  } finally {
    await client.end()
  }
}

const NO_TIMEOUT: object = { query_timeout: 24 * 3_600_000 }
