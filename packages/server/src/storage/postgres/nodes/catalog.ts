import { type Database, prepared, type Transaction } from '../driver/connection.ts'

const SELECT_VERSION = prepared('catalog_version', 'SELECT version FROM catalog')

/** Notifies every node, with the commit, that a project or a key has changed. */
export function touchCatalog(tx: Transaction): void {
  tx.send({ text: 'UPDATE catalog SET version = version + 1', values: [] })
}

export async function readCatalogVersion(database: Database): Promise<number> {
  const [row] = await database.run<{ version: number }>(SELECT_VERSION())
  return row?.version ?? 0
}
