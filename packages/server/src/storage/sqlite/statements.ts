import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Statements kept ready. There are few shapes of queries, but strangers choose the number of values in a list. */
const MAX_KEPT = 200

/** Prepares a statement the first time its text is seen. */
export function prepareOnce(db: DatabaseSync): (text: string) => StatementSync {
  const kept = new Map<string, StatementSync>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    if (kept.size >= MAX_KEPT) kept.clear()
    const statement = db.prepare(text)
    kept.set(text, statement)
    return statement
  }
}
