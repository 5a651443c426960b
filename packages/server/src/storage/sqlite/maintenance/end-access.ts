import { DatabaseSync } from 'node:sqlite'

/** What a person holds for a time: a restore must not bring back what has ended since the backup. */
const TABLES = ['sign_ins', 'links']

/** Ends all sign-ins and one-time links in a database that is not in use. One of an early release may not have them. */
export function endAccess(path: string): void {
  using db = new DatabaseSync(path)
  for (const table of TABLES) {
    const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)
    if (isThere !== undefined) db.exec(`DELETE FROM ${table}`)
  }
}
