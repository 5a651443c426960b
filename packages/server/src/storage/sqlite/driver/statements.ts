import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** The number of cached statements. There are few kinds of queries, but clients choose the number of values in a list. */
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

/** Prepares a statement when it is first used. */
export function prepareLater<A extends readonly unknown[], R>(
  prepare: () => (...values: A) => R,
): (...values: A) => R {
  let prepared: ((...values: A) => R) | undefined
  return (...values) => {
    prepared ??= prepare()
    return prepared(...values)
  }
}

/** A statement that changes something; `run` returns the number of rows. */
export interface Command {
  run(...values: SQLInputValue[]): { readonly changes: number }
}

/** Prepares a statement that changes something. */
export function prepareCommand(db: DatabaseSync, text: string): Command {
  const statement = db.prepare(text)
  // Each `run` also reads the id of the last row inserted, and deleting from the full-text index leaves one there
  // that is too large for a number.
  statement.setReadBigInts(true)
  return { run: (...values) => ({ changes: Number(statement.run(...values).changes) }) }
}

/** Prepares a statement that changes something, without returning the number of rows, which would double the cost. */
export function prepareSilent(db: DatabaseSync, text: string): (...values: SQLInputValue[]) => void {
  const statement = db.prepare(text)
  return (...values) => void statement.get(...values)
}
