import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { IN_MEMORY, openWriter } from '../driver/connection.ts'
import { isIndexFault } from '../driver/faults.ts'
import { inTransaction } from '../driver/transaction.ts'
import { migrate, requireSchema } from '../migrations/migrate.ts'
import { SEARCH_MERGES } from '../migrations/migrations.ts'
import { prepareIndexing } from './search-index.ts'

/** Few per step, with a pause after each, so that a running server can write in between. */
const STEP_ROWS = 200
const PAUSE_MS = 20

/** The tables that FTS5 keeps its index in. */
const PARTS = ['data', 'idx', 'docsize', 'config', 'content']

/**
 * Rebuilds the full-text index, also while a server is running: until it is complete, searches examine the issues that it
 * does not have yet, within their bounds.
 */
export async function rebuildSqliteSearch(
  path: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  using db = openWriter(path)
  requireSchema(db)
  const definition = definitionOfSearch()
  inTransaction(db, () => {
    dropSearch(db)
    db.exec(definition)
    db.exec(SEARCH_MERGES)
    db.exec('UPDATE projects SET indexed_number = 0')
  })
  const countLeft = db.prepare('SELECT sum(last_issue_number - indexed_number) AS count FROM projects')
  const left = () => (countLeft.get() as { count: number | null }).count ?? 0
  const total = left()
  const indexing = prepareIndexing(db, STEP_ROWS)
  while (inTransaction(db, indexing.indexSome)) {
    onProgress(total - left(), total)
    await sleep(PAUSE_MS)
  }
}

/** As created by the migrations. */
function definitionOfSearch(): string {
  using whole = openWriter(IN_MEMORY)
  migrate(whole)
  const { sql } = whole.prepare("SELECT sql FROM sqlite_schema WHERE name = 'search'").get() as {
    sql: string
  }
  return sql
}

function dropSearch(db: DatabaseSync): void {
  try {
    db.exec('DROP TABLE IF EXISTS search')
  } catch (error) {
    if (!isIndexFault(error)) throw error
    // FTS5 has to read its own tables to drop them. If it cannot, they are dropped as ordinary tables.
    db.enableDefensive(false)
    db.exec("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'search'")
    db.exec('PRAGMA writable_schema = RESET')
  }
  for (const part of PARTS) db.exec(`DROP TABLE IF EXISTS search_${part}`)
}
